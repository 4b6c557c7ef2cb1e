/** Longer ones are of no browser. */
const maxAcceptLength = 1_000

/** Whether an `Accept` header ranks HTML above JSON. One that names neither ranks them the same. */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined || accept.length > maxAcceptLength || !/html/i.test(accept)) return false
  const ranges = accept.split(',').map(rangeOf)
  return qualityOf(ranges, 'text/html') > qualityOf(ranges, 'application/json')
}

interface Range {
  type: string
  quality: number
}

function rangeOf(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map(part => part.trim().toLowerCase())
  const weight = parameters.find(parameter => parameter.startsWith('q='))
  return { type, quality: weight === undefined ? 1 : Number(weight.slice(2)) || 0 }
}

/** The most specific range that fits decides (RFC 9110 §12.5.1). */
function qualityOf(ranges: readonly Range[], type: string): number {
  const fitting = [type, type.replace(/\/.*/, '/*'), '*/*']
  const range = fitting.map(wanted => ranges.find(each => each.type === wanted)).find(each => each !== undefined)
  return range?.quality ?? 0
}
