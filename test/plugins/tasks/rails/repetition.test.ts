import { repetition } from '../../../../plugins/tasks/rails/repetition.ts'
import { extended } from '../../../helpers/draft.ts'
import { testRail } from '../../../helpers/rail.ts'

const template = (subject: string) =>
  `It is important to note that ${subject} is one of the most important parts of it all.`
const subjects = ['vacuum', 'locking', 'indexing', 'planning', 'logging']

testRail(repetition, {
  passing: [
    {
      title: 'a short question that returns',
      draft: { content: extended('Why does it matter? Well.\n\nWhy so? Why so?') }
    },
    { title: 'an empty text', draft: { content: '' } }
  ],
  failing: [
    {
      title: 'a sentence that stands twice',
      draft: { content: extended('A reader sees the versions that were committed when its snapshot was taken.') },
      note: /said twice: 1 repeated, first "A reader sees/
    },
    {
      title: 'a sentence twice in other marks and case',
      draft: { content: extended('- **Expired** versions take up space, until Vacuum removes them! [1]') },
      note: /1 repeated/
    },
    {
      title: 'phrases that keep coming back',
      draft: { content: subjects.map(template).join('\n\n') },
      note: /% of the text is repeated phrases such as "it is important to note"/
    }
  ]
})
