import { codeStyles } from './code-styles.ts'

/** The one stylesheet of all pages: light and dark, on screens from 320 px on, and on paper. */
const pageStyles = `
:root {
  color-scheme: light dark;
  --paper: #fdfcfa; --raised: #f5f3ee; --ink: #1f1e1b; --soft: #5e5a52; --line: #e3dfd6; --accent: #17588f; --mark: #fff0b8;
  --serif: Charter, 'Bitstream Charter', 'Sitka Text', Cambria, Georgia, 'Noto Serif', serif;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif;
  --mono: ui-monospace, 'Cascadia Code', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  --measure: 39rem; --width: 54rem; --gap: clamp(1.1rem, 4vw, 2rem);
}
@media screen and (prefers-color-scheme: dark) {
  :root { --paper: #161719; --raised: #1f2123; --ink: #e7e5e0; --soft: #aaa69d; --line: #34363a; --accent: #8ec3f3; --mark: #5a4b12 }
}
*, ::before, ::after { box-sizing: border-box }
html { font-size: 100%; -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--paper); color: var(--ink); font: 1.0625rem/1.55 var(--sans); overflow-wrap: break-word }
main { flex: 1; padding-bottom: 4rem }
.wide { max-width: calc(var(--width) + 2 * var(--gap)); margin: 0 auto; padding: 0 var(--gap) }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: .18em }
a:hover { text-decoration-thickness: 2px }
a:not([href]) { color: inherit; text-decoration: none }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 2px }
img, video, svg { max-width: 100%; height: auto }
h1, h2, h3, h4, h5, h6 { line-height: 1.2; text-wrap: balance; letter-spacing: -.012em; margin: 0 }
ul { margin: 0; padding: 0; list-style: none }
.skip { position: absolute; inset-inline-start: var(--gap); top: -4rem; padding: .6rem 1rem; background: var(--ink); color: var(--paper); z-index: 1 }
.skip:focus { top: .5rem }

.top { border-bottom: 1px solid var(--line) }
.top .wide, .bottom .wide { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .2rem 2rem; padding-block: .7rem }
.brand { display: inline-flex; align-items: center; gap: .6rem; min-height: 2.75rem; color: var(--ink); font-weight: 700; font-size: 1.15rem; letter-spacing: -.01em; text-decoration: none }
.brand img { height: 2rem; width: auto }
.top ul, .bottom ul { display: flex; flex-wrap: wrap; gap: 0 1.4rem }
.top nav a, .bottom nav a { display: inline-flex; align-items: center; min-height: 2.75rem; color: var(--soft); text-decoration: none; font-size: .95rem }
.top nav a:hover, .bottom nav a:hover, .top nav a[aria-current] { color: var(--ink); text-decoration: underline }
.bottom { border-top: 1px solid var(--line); color: var(--soft); font-size: .95rem }
.bottom .wide { padding-block: 1.4rem }
.bottom p { margin: 0; color: var(--ink); font-weight: 600; max-width: 34rem }
.bottom p span { display: block; color: var(--soft); font-weight: 400 }

.intro { padding: clamp(2rem, 6vw, 4rem) 0 clamp(1.2rem, 3vw, 2rem); max-width: 44rem }
.intro h1 { font-size: clamp(2rem, 1.4rem + 2.6vw, 3rem) }
.intro > :is(h1, p, nav, form) + * { margin-top: .8rem }
.lead { font-size: clamp(1.1rem, 1rem + .5vw, 1.3rem); line-height: 1.5; color: var(--soft); margin: 0; text-wrap: pretty }
.kind { margin: 0; font: 600 .85rem/1.4 var(--sans); letter-spacing: .06em; text-transform: uppercase; color: var(--soft) }
.kind a { color: inherit; text-decoration: none; display: inline-block; padding: .35rem 0 }
.kind a:hover { text-decoration: underline }
.facts { margin: 0; color: var(--soft); font-size: .92rem; line-height: 1.5 }
.facts > :is(span, time, a) { display: inline-block; max-width: 100%; overflow-wrap: anywhere }
.facts > :not(:last-child)::after { content: '·'; margin-inline: .5em .2em; display: inline-block; text-decoration: none }
:dir(rtl) > .facts[dir=ltr] { text-align: right } :dir(ltr) > .facts[dir=rtl] { text-align: left }
:is(h1, h2, h3, .kind):is(:dir(rtl), :lang(ja), :lang(zh), :lang(ko)) { letter-spacing: normal }
.labels { display: flex; flex-wrap: wrap; gap: .5rem }
.labels a { display: inline-flex; align-items: center; min-height: 2.25rem; padding: .2rem .85rem; border: 1px solid var(--line); border-radius: 2rem; color: var(--ink); font-size: .92rem; text-decoration: none }
.labels a:hover { border-color: var(--accent); color: var(--accent) }
.none { color: var(--soft) }
.actions { display: flex; flex-wrap: wrap; gap: .2rem 1.4rem } .actions a { padding: .4rem 0 }
#found > .facts { padding-bottom: 1rem }

.entry, .month, .neighbours, .labels { overflow-wrap: anywhere }
.entry { display: grid; gap: 1rem var(--gap); padding: 1.6rem 0; border-top: 1px solid var(--line) }
.entry h2, .entry h3 { font-size: clamp(1.25rem, 1.15rem + .5vw, 1.5rem) }
.entry h2 a, .entry h3 a { color: var(--ink); text-decoration: none }
.entry h2 a:hover, .entry h3 a:hover { color: var(--accent); text-decoration: underline; text-decoration-thickness: 2px }
.entry p:not(.facts) { margin: .45rem 0 .6rem; max-width: 42rem; color: var(--soft); text-wrap: pretty }
.entry .facts { margin-top: .5rem }
.entry audio { display: block; width: 100%; max-width: 36rem; margin: .8rem 0 }
.entry.first h2 { font-size: clamp(1.6rem, 1.3rem + 1.5vw, 2.25rem) }
.thumb img { display: block; width: 100%; aspect-ratio: 1200 / 630; object-fit: cover; border-radius: .5rem; background: var(--raised) }
@media (min-width: 40rem) {
  .entry.with-cover { grid-template-columns: minmax(0, 1fr) 13rem; align-items: start }
  .entry.with-cover .thumb { order: 2 }
  .entry.first.with-cover { grid-template-columns: minmax(0, 1.1fr) minmax(0, 1fr); align-items: center }
  .entry.first.with-cover .thumb { order: 0 }
}
mark { background: var(--mark); color: var(--ink); border-radius: 2px; padding: 0 .1em }

.pages { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1rem; border-top: 1px solid var(--line); padding-top: .6rem; color: var(--soft); font-size: .95rem }
.pages a { display: inline-flex; align-items: center; gap: .4em; min-height: 2.75rem }
.month { display: grid; gap: .4rem var(--gap); padding: 1.4rem 0; border-top: 1px solid var(--line) }
.month h2 { font-size: 1.15rem; padding-top: .35rem }
.month li { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .35rem 0 }
.month li a { flex: 1 1 16rem; color: var(--ink); text-decoration: none }
.month li a:hover { color: var(--accent); text-decoration: underline }
.month time { color: var(--soft); font-size: .92rem; min-width: 10.5rem; font-variant-numeric: tabular-nums }
@media (min-width: 48rem) { .month { grid-template-columns: 11rem minmax(0, 1fr) } }
.search, .fields { display: flex; flex-wrap: wrap; gap: .6rem }
:is(.search, .fields) label { flex: 1 0 100%; color: var(--soft); font-size: .95rem }
:is(.search, .fields) :is(input, button) { min-height: 2.75rem; padding: .4rem .9rem; border: 1px solid var(--soft); border-radius: .4rem; background: var(--paper); color: inherit; font: inherit }
:is(.search, .fields) input { flex: 1 1 12rem; min-width: 0 }
:is(.search, .fields) button { background: var(--ink); color: var(--paper); border-color: var(--ink); font-weight: 600; cursor: pointer }

.part { margin-top: 3rem } .part .wide > :is(p, form) { max-width: var(--measure) }
.part h2 { padding-top: 1.4rem; border-top: 1px solid var(--line); font-size: 1.25rem } .part p { margin-block: .4rem 1rem; color: var(--soft) }

.post { padding: clamp(1.6rem, 5vw, 3.5rem) var(--gap) 0 }
.post > * { max-width: var(--measure); margin-inline: auto }
.post > header > * + * { margin-top: .8rem }
.post > header h1 { font-size: clamp(1.95rem, 1.4rem + 2.4vw, 2.6rem) }
.post > header h1.long { font-size: clamp(1.6rem, 1.25rem + 1.4vw, 2.05rem); line-height: 1.25 }
.post .cover { margin: 1.6rem 0 0 }
@media (min-width: 60rem) { .post .cover { margin-inline: -3.5rem } }
.post .cover img { display: block; width: 100%; aspect-ratio: 1200 / 630; object-fit: cover; border-radius: .6rem; background: var(--raised) }
.post .listen { margin-top: 1.4rem; padding: 1rem 1.2rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--raised) }
.listen p { margin: 0 0 .5rem; font-weight: 600 }
.listen .facts { margin: .4rem 0 0; font-weight: 400 }
.listen audio { display: block; width: 100% }

.text { font: 1.1875rem/1.65 var(--serif); margin-top: 2rem; hanging-punctuation: first; text-wrap: pretty }
.text > :first-child { margin-top: 0 }
.text p, .text ul, .text ol, .text blockquote, .text pre, .text figure, .text .scroll, .text dl, .text details { margin: 0 0 1.15em }
.text h1, .text h2, .text h3, .text h4, .text h5, .text h6 { font-family: var(--sans); margin: 1.8em 0 .55em }
.text h1, .text h2 { font-size: 1.55rem } .text h3 { font-size: 1.25rem } .text h4, .text h5, .text h6 { font-size: 1.0625rem }
.text h2 + h3 { margin-top: 1em }
.text ul { list-style: disc; padding-inline-start: 1.3em } .text ol { padding-inline-start: 1.5em }
.text li { margin: .3em 0 } .text li.task { list-style: none } .text li > p { margin-bottom: .5em }
.text li::marker { color: var(--soft) }
.text blockquote { padding-inline-start: 1.1em; border-inline-start: 3px solid var(--line); color: var(--soft); font-style: italic }
.text :is(blockquote, em, i):is(:dir(rtl), :lang(ja), :lang(zh), :lang(ko)) { font-style: normal }
.text img { border-radius: .4rem }
.text figcaption, .text caption { font: .92rem/1.45 var(--sans); color: var(--soft); margin-top: .5em; text-align: start }
.text hr { border: 0; border-top: 1px solid var(--line); margin: 2.4em auto; width: 40% }
.text a { overflow-wrap: anywhere }
code, kbd { font: .86em/1.5 var(--mono); direction: ltr; unicode-bidi: isolate }
.text :not(pre) > code, kbd { background: var(--raised); border: 1px solid var(--line); border-radius: .3em; padding: .08em .32em; overflow-wrap: anywhere }
pre { overflow-x: auto; padding: 1rem 1.1rem; background: var(--raised); border: 1px solid var(--line); border-radius: .6rem; line-height: 1.5; tab-size: 2; direction: ltr; text-align: left }
pre code { font-size: .9rem }
.scroll { overflow-x: auto }
table { border-collapse: collapse; min-width: 100%; font: .98rem/1.45 var(--sans); font-variant-numeric: tabular-nums }
th, td { padding: .5em .8em; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top }
th:first-child, td:first-child { padding-inline-start: 0 } th:last-child, td:last-child { padding-inline-end: 0 }
th { border-bottom-width: 2px; font-weight: 650 }
[align=right] { text-align: end } [align=center] { text-align: center }
sup.ref { font: .72em/0 var(--sans); vertical-align: baseline; position: relative; top: -.42em }
sup.ref a { text-decoration: none; padding: .5em .15em }
sup.ref a:hover { text-decoration: underline }
.notes { margin-top: 2.5em; padding-top: 1em; border-top: 1px solid var(--line); font: 1rem/1.55 var(--sans); color: var(--soft) }
.text input[type=checkbox] { margin-inline-end: .4em }
::highlight(spoken) { background: var(--mark); color: var(--ink) }
:target { background: var(--mark); border-radius: 3px }
.post > footer { margin-top: 3rem }
.neighbours { display: grid; gap: 1rem; margin-top: 2rem; border-top: 1px solid var(--line); padding-top: 1.2rem }
.neighbours a { color: var(--ink); text-decoration: none; font-weight: 600; padding: .3rem 0 }
.neighbours a:hover bdi { text-decoration: underline }
.neighbours span { display: block; color: var(--soft); font-size: .88rem; font-weight: 400 }
@media (min-width: 36rem) { .neighbours { grid-template-columns: 1fr 1fr } .neighbours .next { grid-column: 2; text-align: end } }
.related { margin-top: 3.5rem; padding-top: 2rem; border-top: 1px solid var(--line) }
.related .entry { border: 0; padding: 1rem 0; align-content: start } .related .entry h3 { font-size: 1.15rem }
@media (min-width: 48rem) {
  .related .entries { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 0 var(--gap) }
  .related .entry.with-cover { grid-template-columns: minmax(0, 1fr) } .related .entry.with-cover .thumb { order: 0 }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth } }
@media (forced-colors: active) { .labels a, pre { border-color: CanvasText } }
@media print {
  .top nav, .bottom nav, .related, .neighbours, .listen, .skip, .pages, .labels, .part { display: none }
  details::details-content { content-visibility: visible }
  :root { color-scheme: light; --paper: #fff; --ink: #000; --soft: #333; --line: #bbb; --raised: #fff }
  .text { font-size: 11pt } .wide { padding-inline: 0; max-width: none } .post { padding: 1.5rem 0 0; max-width: none } .post > * { max-width: none }
  main { padding-bottom: 1rem } pre { white-space: pre-wrap; overflow-wrap: anywhere } .scroll { overflow: visible } td { overflow-wrap: anywhere }
  pre, figure, table, img { break-inside: avoid } h1, h2, h3 { break-after: avoid }
  .text a[href^=http]::after { content: ' (' attr(href) ')'; font-size: .85em; color: #333 }
}
`

export const stylesheet = (pageStyles + codeStyles).replace(/\n\s*/g, '\n').trim()
