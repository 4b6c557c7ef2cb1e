import { grounding } from '../../../../plugins/tasks/rails/grounding.ts'
import { edited, extended } from '../../../helpers/draft.ts'
import { type RailCase, testRail } from '../../../helpers/rail.ts'

const byModel = (content: string, title?: string) => ({
  model: 'llama3',
  isExtractive: false,
  content,
  ...(title ? { title } : {})
})
const claims = [
  'Vacuum was invented by sailors of Venice.',
  'Snapshots taste of cinnamon.',
  'Rows dream of electric sheep.'
]

const citationFaults: RailCase[] = [
  {
    title: 'a citation without an entry',
    draft: byModel(edited('removes them [2]', 'removes them [7]')),
    note: /\[7\] is not in/
  },
  {
    title: 'a range that runs past the list',
    draft: byModel(edited('removes them [2]', 'removes them [1-4]')),
    note: /\[3\].*\[4\]/
  },
  { title: 'no Sources list', draft: byModel('Readers never wait for writers [1].'), note: /no ## Sources list/ },
  {
    title: 'an invented source',
    draft: byModel(edited('2. Vacuum', '2. Journal of Databases')),
    note: /none of the task's sources/
  },
  {
    title: 'a citation that says nothing about it',
    draft: byModel(extended('Sourdough wants flour, salt, warmth and patience on a quiet morning [2].')),
    note: /\[2\] says nothing about "Sourdough/
  },
  { title: 'a text that cites nothing', draft: byModel('Readers never wait for writers.'), note: /no source is cited/ }
]

testRail(grounding, {
  passing: [
    { title: 'a model that words things anew', draft: byModel(extended('In other words, nobody has to queue [1].')) },
    {
      title: 'a number of the sources in other form',
      draft: byModel(extended('Vacuum starts at 20% of a table [2].'))
    },
    {
      title: 'a number of the topic',
      draft: byModel(extended('So it is in 2031.')),
      assignment: { topic: 'PostgreSQL in 2031' }
    },
    { title: 'small numbers that count', draft: byModel(extended('There are 3 reasons.')) },
    { title: 'numbers within code', draft: byModel(extended('Try `select 4711`.')) },
    {
      title: 'a quotation word for word',
      draft: byModel(extended('It is "multiversion concurrency control for short" [1].'))
    },
    { title: 'two words in quotation marks', draft: byModel(extended('Some call it "time travel".')) },
    {
      title: 'link definitions as a list',
      draft: byModel(
        edited(
          '1. [Versions of rows](https://example.org/mvcc)\n2. Vacuum',
          '[1]: https://example.org/mvcc\n\n2. Vacuum'
        )
      )
    },
    {
      title: 'bracketed numbers as a list',
      draft: byModel(
        edited('1. [Versions of rows](https://example.org/mvcc)\n2. Vacuum', '[1] Versions of rows\n[2] Vacuum')
      )
    }
  ],
  failing: [
    ...citationFaults,
    {
      title: 'a topic without sources, saying what to do',
      assignment: { sources: [], topic: 'Byzantine coinage' },
      note: /No stored source covers "Byzantine coinage": .*galley memory store/
    },
    { title: 'an extractive draft that drew on nothing', draft: { source_ids: [] }, note: /galley memory store/ },
    { title: 'a number a model made up', draft: byModel(extended('It is 47 % faster [1].')), note: /number 47 / },
    {
      title: 'a number made up in the title',
      draft: byModel(extended(''), '365 facts about PostgreSQL'),
      note: /number 365 /
    },
    {
      title: 'a quotation a model made up',
      draft: byModel(extended('Codd said "readers shall never be kept waiting" [1].')),
      note: /quotation "readers shall/
    },
    {
      title: 'sentences an extractive writer made up',
      draft: { content: extended(claims.join(' ')) },
      note: /not found: "Vacuum was/
    },
    {
      title: 'numbers an extractive writer changed',
      draft: { content: edited('20 percent', '35 percent').replace('32 bits', '48 bits') },
      note: /not found/
    }
  ]
})
