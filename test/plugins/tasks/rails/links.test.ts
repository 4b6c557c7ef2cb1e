import { links } from '../../../../plugins/tasks/rails/links.ts'
import { extended } from '../../../helpers/draft.ts'
import { type RailCase, testRail } from '../../../helpers/rail.ts'

const linkCase = (text: string): RailCase => ({ title: JSON.stringify(text), draft: { content: extended(text) } })

testRail(links, {
  passing: [
    'See [a](https://example.org/x?y=1#z "Title").',
    'See [a](http://example.org), [b](/posts/a), [c](../a), [d](#part), [e](mailto:a@example.org).',
    '<https://example.org>',
    '![A cat](https://example.org/cat.png)',
    'In code: `[a](javascript:x)` and `a](b`.',
    '```\n[a](javascript:x)\n```',
    'See [the guide][g].\n\n[g]: https://example.org/guide'
  ].map(linkCase),
  failing: [
    '[a](javascript:alert)',
    '[a](JaVaScript:alert)',
    '[a](&#106;avascript:alert)',
    '[a](java&Tab;script:alert)',
    '[a](javascript&colon;alert)',
    '[a](data:text/html;base64,xx)',
    '[a](vbscript:x)',
    '[a](file:///etc/passwd)',
    '[a](ftp://example.org)',
    '![a](data:image/svg+xml;base64,xx)',
    '<javascript:alert>',
    '[a][g]\n\n[g]: javascript:alert',
    '<a href="javascript:alert">x</a>',
    '| a |\n|---|\n| [x](javascript:a) |',
    '- item\n  - [x](javascript:a)',
    '[](https://example.org)',
    '[ ](https://example.org)',
    '[a]()',
    '[a](https://exa mple.org)',
    '[a](https://example.org',
    '[a](https://)'
  ].map(linkCase)
})
