import { structure } from '../../../../plugins/tasks/rails/structure.ts'
import { edited, extended } from '../../../helpers/draft.ts'
import { testRail } from '../../../helpers/rail.ts'

const body = 'Some words stand here.'

testRail(structure, {
  passing: [
    { title: 'a section that only holds subsections', draft: { content: extended(`## More\n\n### Part\n\n${body}`) } },
    { title: 'a section that only holds code', draft: { content: extended('## Code\n\n```sql\nselect 1\n```') } },
    { title: 'a # within a code block', draft: { content: extended('```sh\n# a comment\n```') } }
  ],
  failing: [
    {
      title: 'a text without an introduction',
      draft: { content: `## A\n\n${body}\n\n## B\n\n${body}` },
      note: /no introduction/
    },
    {
      title: 'an introduction under its H1 alone',
      draft: { content: `# T\n\n## A\n\n${body}\n\n## B\n\n${body}` },
      note: /H1/
    },
    { title: 'one section', draft: { content: `${body}\n\n## A\n\n${body}` }, note: /^1 section with/ },
    { title: 'one section and a Sources list', draft: { content: `${body}\n\n## A\n\n${body}\n\n## Sources\n\n1. X` } },
    { title: 'no section', draft: { content: body }, note: /^0 sections/ },
    {
      title: 'an empty section',
      draft: { content: extended('## Nothing\n\n## Something\n\nwords') },
      note: /"Nothing" is empty/
    },
    { title: 'an empty last section', draft: { content: `${body}\n\n## A\n\n${body}\n\n## B` }, note: /"B" is empty/ },
    { title: 'an H1', draft: { content: edited('## Cleaning up', '# Cleaning up') }, note: /"Cleaning up" is an H1/ },
    { title: 'a skipped level', draft: { content: extended(`#### Deep\n\n${body}`) }, note: /skips from level 2 to 4/ },
    { title: 'a heading twice', draft: { content: extended(`## Cleaning up\n\n${body}`) }, note: /stands twice/ },
    {
      title: 'a code block that never ends',
      draft: { content: extended(`\`\`\`sql\nselect 1\n\n${body}`) },
      note: /never closed/
    },
    { title: 'an empty text', draft: { content: '' } }
  ]
})
