import { bannedPhrases } from '../../../../plugins/tasks/rails/banned-phrases.ts'
import { edited, extended } from '../../../helpers/draft.ts'
import { testRail } from '../../../helpers/rail.ts'

const banned = { bannedPhrases: ['game changer', 'delve', "it's worth noting"] }

testRail(bannedPhrases, {
  passing: [
    { title: 'a text without the banned phrases', ...banned, note: /No banned phrase/ },
    { title: 'a longer word that holds one', ...banned, draft: { content: extended('He delved into it.') } },
    { title: 'an empty phrase in the setting', bannedPhrases: ['', '  '] }
  ],
  failing: [
    {
      title: 'a phrase in other case',
      ...banned,
      draft: { content: extended('A Game\nChanger.') },
      note: /"game changer"/
    },
    { title: 'a phrase in bold', ...banned, draft: { content: extended('Let us **delve** in.') } },
    { title: 'a typographic apostrophe', ...banned, draft: { content: extended('It’s worth noting.') } },
    { title: 'a phrase in the title', ...banned, draft: { title: 'We delve into PostgreSQL' } },
    { title: 'a phrase in the excerpt', ...banned, draft: { excerpt: 'A game changer.' } },
    { title: 'a phrase in a heading', ...banned, draft: { content: edited('Cleaning up', 'Delve') } },
    { title: 'a second occurrence that stands alone', ...banned, draft: { content: extended('Delved? No: delve.') } }
  ]
})
