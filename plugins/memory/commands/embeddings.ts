import { command, type Terminal } from '#core'
import { pluralized } from '#text/plural'
import type { BackfillResult, Memory } from '../index.ts'

export const embedCommand = (memory: Memory) =>
  command({
    describe: 'Print the 768-dimension vector of a text',
    returns: '{model, dimensions, embedding}',
    args: { text: { type: 'positional', describe: 'The text', required: true } },
    async run({ args }) {
      const { model, dimensions, embeddings } = await memory.embed([args.text])
      return { model, dimensions, embedding: embeddings[0] ?? [] }
    },
    text: ({ embedding }) => JSON.stringify(embedding)
  })

async function backfillPosts(memory: Memory, terminal: Terminal): Promise<BackfillResult> {
  const shown = {
    entries: terminal.progress('posts stored'),
    embeddings: terminal.progress('embeddings made')
  }
  try {
    return await memory.backfill('posts', {
      signal: terminal.signal,
      onProgress(step, done) {
        if (step === 'embeddings') shown.entries.end()
        shown[step].update(done)
      }
    })
  } finally {
    shown.entries.end()
    shown.embeddings.end()
  }
}

export const backfillCommand = (memory: Memory) =>
  command({
    describe: 'Store and embed the published posts again',
    returns: '{source_table, entries, stored, embedded, fault}',
    args: {},
    run: ({ terminal }) => backfillPosts(memory, terminal),
    text: ({ entries, stored, embedded, fault }) => {
      const later = fault === null ? '' : ` A job makes the others later: ${fault}`
      return `${pluralized(entries, 'post')} read, ${stored} new or changed, ${pluralized(embedded, 'embedding')} made.${later}`
    }
  })
