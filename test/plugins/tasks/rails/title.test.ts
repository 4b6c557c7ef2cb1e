import { title } from '../../../../plugins/tasks/rails/title.ts'
import { testRail } from '../../../helpers/rail.ts'

const prompt = 'Write an article about PostgreSQL. Explain how readers and writers are kept apart.'

testRail(title, {
  passing: [
    { title: 'the topic in other word forms', draft: { title: 'Reading while others write' } },
    {
      title: 'the keyword instead of the topic',
      draft: { title: 'Snapshots explained' },
      assignment: { primary_keyword: 'snapshot' }
    },
    { title: 'acronyms', draft: { title: 'DNS AND TLS AT HOME' }, assignment: { topic: 'DNS and TLS' } },
    { title: 'a short topic as its own title', draft: { title: 'Tides' }, assignment: { topic: 'tides' } },
    {
      title: 'a title in another script',
      draft: { title: '水はどのように山から海へ流れるか' },
      assignment: { topic: '水の流れ' }
    },
    { title: 'dots that mean more', draft: { title: 'PostgreSQL readers, and so on...' } }
  ],
  failing: [
    { title: 'a short title', draft: { title: 'Readers' }, note: /7 characters, at least 10/ },
    { title: 'an empty title', draft: { title: '' } },
    { title: 'a long title', draft: { title: `PostgreSQL ${'and more '.repeat(10)}` }, note: /at most 90/ },
    { title: 'capitals', draft: { title: 'POSTGRESQL KEEPS READERS APART' }, note: /capitals/ },
    { title: 'a full stop', draft: { title: 'PostgreSQL keeps readers apart.' }, note: /full stop/ },
    { title: 'quotation marks', draft: { title: '"PostgreSQL keeps readers apart"' }, note: /quotation marks/ },
    { title: 'markdown', draft: { title: '# PostgreSQL keeps readers apart' } },
    { title: 'a line break', draft: { title: 'PostgreSQL keeps\nreaders apart' } },
    { title: 'another subject', draft: { title: 'Ten recipes for sourdough' }, note: /no word of the topic/ },
    {
      title: 'a sentence of the prompt',
      draft: { title: 'Explain how readers and writers are kept apart' },
      assignment: { topic: prompt },
      note: /repeats the prompt/
    },
    {
      title: 'a sentence of the feedback',
      draft: { title: 'Say more on PostgreSQL' },
      assignment: { feedback: 'Say more on PostgreSQL.' }
    },
    { title: 'an instruction', draft: { title: 'Write an article about PostgreSQL' } }
  ]
})
