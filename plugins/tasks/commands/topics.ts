import { fieldLines, pageTable } from '#cli'
import { command } from '#core'
import { formatInstant } from '#time'
import { nearlyRepeats } from '../topic-duplicates.ts'
import type { Topics } from '../topics.ts'
import { flagFaults, splitTags } from './flags.ts'

const task_id = {
  type: 'positional',
  describe: 'Id of the topic, or 8 or more of its first characters',
  required: true
} as const

export const topicCommands = (topics: Topics) => ({
  list: list(topics),
  show: show(topics),
  propose: propose(topics),
  approve: approve(topics),
  reject: reject(topics)
})

const columns = [
  { heading: 'TOPIC' },
  { heading: 'PROPOSED', dropOrder: 1 },
  { heading: 'SOURCE', dropOrder: 2 },
  { heading: 'TEXT', isText: true }
]

const list = (topics: Topics) =>
  command({
    describe: 'Topics that wait for a decision, oldest first',
    returns: 'list of Topic',
    args: {
      source: { type: 'string', describe: 'Only topics proposed with this source label' },
      limit: { type: 'integer', describe: 'Topics to show, at most 100', default: 20, minimum: 1, maximum: 100 },
      offset: { type: 'integer', describe: 'Topics to skip', default: 0, minimum: 0 }
    },
    async run({ args }) {
      const page = { limit: args.limit, offset: args.offset, after: null }
      const { items, total, limit, offset } = await topics.list(args.source ?? null, page)
      return { items, total, limit, offset }
    },
    text: (page, terminal) => {
      const rows = page.items.map(topic => [
        topic.task_id.slice(0, 8),
        formatInstant(topic.created_at, terminal.timeZone),
        topic.source,
        topic.topic
      ])
      return pageTable(
        columns,
        rows,
        {
          ...page,
          empty:
            'No topic waits for a decision: "topics propose" adds one, "gates set topic_decision on" has them wait.'
        },
        terminal
      )
    }
  })

const show = (topics: Topics) =>
  command({
    describe: 'One topic with what it was proposed with',
    returns: 'Topic',
    args: { task_id },
    run: ({ args }) => topics.show(args.task_id),
    text: ({ artifact: _, near_duplicate, ...topic }, terminal) =>
      [fieldLines(topic, terminal), near_duplicate === null ? '' : `It ${nearlyRepeats(near_duplicate)}.`]
        .filter(Boolean)
        .join('\n')
  })

const propose = (topics: Topics) =>
  command({
    describe: 'Propose a topic; it waits for a decision while the gate topic_decision is on',
    returns: 'Topic',
    args: {
      topic: { type: 'string', describe: 'What to write about, 3–200 characters', required: true, acceptsEmpty: true },
      keyword: { type: 'string', describe: 'Primary keyword' },
      tags: { type: 'string', describe: 'Tags, separated by commas' },
      category: { type: 'string', describe: 'Slug of the category' },
      source: { type: 'string', describe: 'Label of where the topic comes from', default: 'manual' },
      'target-length': {
        type: 'integer',
        describe: 'Words wanted, 200–5000',
        default: 1500,
        minimum: 200,
        maximum: 5000
      },
      style: { type: 'string', describe: 'Style', default: 'technical' },
      tone: { type: 'string', describe: 'Tone', default: 'professional' },
      strict: { type: 'boolean', describe: 'Refuse what nearly repeats an open topic or a published post' }
    },
    validate: ({ topic, keyword, tags, category, source, style, tone }) => ({
      ...flagFaults({ topic, keyword, tags, category, source, style, tone }),
      ...(topic?.trim() === '' ? { topic: 'is empty: give it some text' } : {})
    }),
    async run({ args, actor, terminal }) {
      const tags = splitTags(args.tags)
      const proposed = await topics.propose(
        {
          topic: args.topic,
          primary_keyword: args.keyword ?? null,
          tags,
          category: args.category ?? null,
          target_length: args['target-length'],
          style: args.style,
          tone: args.tone
        },
        { actor, source: args.source, strict: args.strict === true }
      )
      if (proposed.near_duplicate !== null)
        terminal.note(`warning: the topic ${nearlyRepeats(proposed.near_duplicate)}`)
      return proposed
    },
    text: topic =>
      topic.awaiting_gate === null
        ? `Queued ${topic.task_id}: ${topic.topic}`
        : `Held ${topic.task_id} at ${topic.awaiting_gate}: ${topic.topic}`
  })

const approve = (topics: Topics) =>
  command({
    describe: 'Approve a topic: it enters the pipeline',
    returns: 'Topic',
    args: { task_id, feedback: { type: 'string', describe: 'Feedback for the writer, stored with the task' } },
    run: ({ args, actor }) => topics.approve(args.task_id, { actor, reason: args.feedback ?? null }),
    text: topic => `The topic ${topic.task_id} is ${topic.status}.`
  })

const reject = (topics: Topics) =>
  command({
    describe: 'Reject a topic; its task ends dismissed',
    returns: 'Topic',
    args: { task_id, reason: { type: 'string', describe: 'Why, for the history' } },
    run: ({ args, actor }) => topics.reject(args.task_id, { actor, reason: args.reason ?? null }),
    text: topic => `The topic ${topic.task_id} is ${topic.status}.`
  })
