/** Stands for the number of a post, so that no two have the same text. */
const mark = '4242424242'

const paragraph = (n: number) =>
  `The sea rises **twice a day**, and falls as often. On the coast of Brittany it is *${n + 9} metres* from the lowest to the
highest water, as [the harbour of Saint-Malo](https://example.org/saint-malo) has noted since 1846. What is a path at noon is
under water at six. Whoever walks there reads the tables first, and the sky after them. Post ${mark} says no more of it.`

const code = `\`\`\`js
// When the next tide comes, after ${mark} of them.
export function nextTide(now, period = 44712) {
  const passed = (now.getTime() / 1000) % period
  return new Date(now.getTime() + (period - passed) * 1000)
}
\`\`\``

/** A post of 6 kB as people write them: markdown with headings, lists, links and a block of code. */
export const exampleText = Array.from({ length: 3 }, (_, part) =>
  [
    `## Part ${part + 1}`,
    ...Array.from({ length: 5 }, (_, at) => paragraph(5 * part + at)),
    '- spring tides\n- neap tides\n- none at all',
    ...(part === 1 ? [code] : [])
  ].join('\n\n')
).join('\n\n')

export const textOf = (n: number): string => exampleText.replaceAll(mark, String(n))
export { mark as numberMark }
