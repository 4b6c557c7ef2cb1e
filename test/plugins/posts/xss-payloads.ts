import { Parser } from 'htmlparser2'

const call = 'alert(1)'
const schemes = [
  'javascript:',
  'JaVaScRiPt:',
  'vbscript:',
  'data:text/html,',
  'data:image/svg+xml;base64,',
  'blob:',
  'file:///',
  'view-source:javascript:'
]
const encodings: ((text: string) => string)[] = [
  text => text,
  text => text.replace(/[a-z]/gi, letter => `&#${letter.charCodeAt(0)};`),
  text => text.replace(/[a-z]/gi, letter => `&#x${letter.charCodeAt(0).toString(16)}`),
  text => text.replace(/[a-z]/i, letter => `&#0000${letter.charCodeAt(0)};`),
  text => text.replace(':', '&colon;'),
  text => text.replace(/^(.{4})/, '$1&Tab;'),
  text => text.replace(/^(.{4})/, '$1&#10;'),
  text => `&#1;${text}`,
  text => ` \u00a0${text}`,
  text => text.replace(/^./, letter => `%${letter.charCodeAt(0).toString(16)}`)
]
const addresses = schemes.flatMap(scheme => encodings.map(encode => encode(`${scheme}${call}`)))
const tags = [
  'script',
  'img',
  'svg',
  'iframe',
  'a',
  'math',
  'object',
  'embed',
  'form',
  'input',
  'style',
  'base',
  'meta',
  'link',
  'video',
  'details',
  'body',
  'template',
  'noscript',
  'textarea',
  'xmp',
  'marquee',
  'table',
  'p'
]
const attributes = [
  'onerror',
  'onload',
  'onclick',
  'ONMOUSEOVER',
  'ontoggle',
  'style',
  'srcdoc',
  'formaction',
  'xlink:href',
  'srcset',
  'id',
  'on\u0000load',
  '/onfocus'
]
const contexts: ((html: string) => string)[] = [
  html => html,
  html => `Before ${html} after`,
  html => `- item\n  ${html}`,
  html => `> ${html}`,
  html => `| a |\n|---|\n| ${html.replaceAll('|', '')} |`,
  html => `[text ${html}](https://x.example "${html}")`,
  html => `![${html}](https://x.example/p.png '${html}')`,
  html => `\`${html}\` and ${html}`,
  html => `\`\`\`${html.replaceAll('`', '')}\n${html}\n\`\`\``,
  html => `<!-- ${html} --> ${html}`,
  html => `<p title="${html}">${html}`
]

/** Some 9,000 texts: tags, attributes and addresses, in every place markdown has for them. */
export function* payloads(): Generator<string> {
  const htmls = [
    ...tags.flatMap(tag => [
      `<${tag}>${call}</${tag}>`,
      `<${tag}\n>${call}`,
      `<${tag}/${'x'}=1>`,
      `</${tag}><script>${call}</script>`
    ]),
    ...tags.flatMap(tag => attributes.map(name => `<${tag} ${name}=${call}>`)),
    ...attributes.map(name => `<img src="x" ${name}="${call}" <b`),
    ...['href', 'src', 'action', 'poster', 'data', 'background', 'cite'].flatMap(name => [
      `<a ${name}="javascript:${call}">x</a>`,
      `<img ${name}='javascript:${call}'>`
    ]),
    '<svg><style><img src=x onerror=alert(1)>',
    '<math><mi><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
    '<![CDATA[<script>alert(1)</script>]]>',
    ']]><script>alert(1)</script>',
    '<scr<script>ipt>alert(1)</scr</script>ipt>',
    '<img src=x onerror\u000b=alert(1)>',
    '\u202e<script>alert(1)</script>',
    '<a href="https://x.example" onclick=alert(1)//">x'
  ]
  for (const html of htmls) for (const context of contexts) yield context(html)
  for (const address of addresses) {
    yield `[x](${address})`
    yield `[x](<${address}>)`
    yield `![x](${address})`
    yield `[x]\n\n[x]: ${address}`
    yield `<${address}>`
    yield `<a href="${address}">x</a>`
    yield `<img src='${address}'>`
    yield `<a href=${address}>x</a>`
  }
}

const mayRun =
  /^(script|style|iframe|svg|math|object|embed|form|input|base|meta|link|video|audio|template|noscript|textarea|body|html|xmp|marquee|button)$/
const scheme = /^([a-z][a-z0-9+.-]*):/i

/** What a parser of HTML finds in it that a browser would act on. */
export function found(html: string): string[] {
  const faults: string[] = []
  const parser = new Parser({
    onopentag(name, given) {
      if (mayRun.test(name)) faults.push(`<${name}>`)
      for (const [attribute, value] of Object.entries(given)) {
        if (/^on|^style$|^srcdoc$|^srcset$|^id$|^name$|action|[^a-z]/i.test(attribute)) faults.push(attribute)
        // As a browser reads an address: without tabs, line ends and leading controls.
        const address = value.replace(/[\t\n\r]/g, '').replace(/^[\0-\x20]+/, '')
        const named = scheme.exec(address)?.[1]?.toLowerCase() ?? 'https'
        if (['href', 'src'].includes(attribute) && !['http', 'https', 'mailto'].includes(named))
          faults.push(`${attribute}=${value}`)
      }
    },
    oncomment: text => faults.push(`<!--${text}`),
    onprocessinginstruction: name => faults.push(`<${name}`)
  })
  parser.end(html)
  return faults
}
