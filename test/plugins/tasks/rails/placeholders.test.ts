import { placeholders } from '../../../../plugins/tasks/rails/placeholders.ts'
import { edited, extended } from '../../../helpers/draft.ts'
import { type RailCase, testRail } from '../../../helpers/rail.ts'

const leftovers = [
  'TODO: say more.',
  'Lorem ipsum dolor sit amet.',
  'As [insert company name here] says, it works.',
  'See [your link here] for more.',
  'Call <your phone number> today.',
  'Dear {{ first_name }}, welcome.',
  'As an AI language model, I have no opinion.',
  'My knowledge cutoff is two years back.',
  "I'm sorry, but I can't write that.",
  'I cannot assist with this.',
  "Here's the revised article you asked for:",
  'I hope this helps!',
  'Let me know if you want changes.',
  'Word count: 812',
  '**Target audience:** developers',
  'The end.<|im_end|>',
  '<think>First an outline.</think>',
  'Done. [/INST]'
].map((text): RailCase => ({ title: text, draft: { content: extended(text) } }))

testRail(placeholders, {
  passing: [
    {
      title: 'template fields within code',
      draft: { content: extended('Write `{{ name }}` or:\n\n```\n{{ name }} TODO\n```') }
    },
    {
      title: 'a link whose text starts like a blank',
      draft: { content: extended('Read [your guide](https://example.org/a).') }
    },
    {
      title: 'what the topic is about',
      draft: { content: extended('Lorem ipsum is Latin.') },
      assignment: { topic: 'Lorem ipsum' }
    },
    { title: 'the word todo in a sentence', draft: { content: extended('A todo list holds what is left.') } },
    { title: 'a code block at the end', draft: { content: extended('Done:\n\n```\nx\n```') } }
  ],
  failing: [
    ...leftovers,
    {
      title: 'a reply before the text',
      draft: { content: edited('PostgreSQL keeps', 'Sure, here is the text.\n\nPostgreSQL keeps') }
    },
    { title: 'a placeholder in the title', draft: { title: 'TODO: a title' }, note: /"TODO"/ },
    { title: 'a placeholder in the excerpt', draft: { excerpt: 'Lorem ipsum.' } },
    { title: 'a placeholder in a heading', draft: { content: edited('## Cleaning up', '## [Insert heading]') } },
    {
      title: 'a fence around the whole',
      draft: { content: '```markdown\nText.\n\n## A\n\nMore.\n```' },
      note: /in a code fence/
    },
    { title: 'JSON', draft: { content: '{"title": "A", "content": "B"}' }, note: /is JSON/ }
  ]
})
