import type TurndownService from 'turndown'

/** As much of a node as is asked for. */
interface PictureNode {
  nodeName: string
  textContent: string | null
  previousSibling: PictureNode | null
  nextSibling: PictureNode | null
  /** Of elements. */
  getAttribute?(name: string): string | null
  querySelector?(selector: string): PictureNode | null | undefined
}
type Side = 'previousSibling' | 'nextSibling'

/** Where scripts find the address of a picture that is loaded when a reader comes to it. */
const lazyAttributes = ['data-src', 'data-lazy-src', 'data-original', 'data-orig-src', 'data-orig-file'] as const
const lazySets = ['data-srcset', 'data-lazy-srcset', 'srcset'] as const

/** A file that stands in the place of a picture until then. */
const placeholderFile = /(?:^|[/_-])(?:blank|1x1|spacer|placeholder|transparent|pixel|lazy)[\w.-]*\.(?:gif|png|svg)/i
const usable = /^(?:https?:)?\/|\.(?:jpe?g|png|gif|webp|avif)(?:[?#]|$)/i

/** Pictures get the address that readers came to see, in the place of what a script replaced. */
export function addPictures(service: TurndownService): void {
  service.addRule('lazyPicture', {
    filter: node => node.nodeName === 'IMG' && isPlaceholder(node),
    replacement: (_, node: PictureNode) => {
      const address = lazyAddressOf(node)?.replace(/[<>\s]/g, encodeURIComponent)
      const alt = service.escape((node.getAttribute?.('alt') ?? '').replace(/\s+/g, ' '))
      return address === undefined ? '' : `![${alt}](${address.replace(/[()]/g, '\\$&')})`
    }
  })
}

/** What stands within `noscript` beside a picture is the same picture, for readers without scripts. */
export const isCopy = (node: PictureNode): boolean =>
  node.nodeName === 'NOSCRIPT' && node.querySelector?.('img') != null && besides(node, 'IMG') !== null

function isPlaceholder(node: PictureNode): boolean {
  const source = node.getAttribute?.('src') ?? ''
  const isLazy = /\blazy/i.test(node.getAttribute?.('class') ?? '')
  const canBe = source === '' || /^data:/i.test(source) || placeholderFile.test(source)
  return canBe && (lazyAddressOf(node) !== null || (isLazy && !/^https?:/i.test(source)))
}

function lazyAddressOf(node: PictureNode): string | null {
  const said = lazyAttributes.map(name => node.getAttribute?.(name))
  const sets = lazySets.map(name => node.getAttribute?.(name)?.trim().split(/\s/, 1)[0])
  const copy = besides(node, 'NOSCRIPT')?.querySelector?.('img')?.getAttribute?.('src')
  return [...said, copy, ...sets].find(each => each != null && usable.test(each)) ?? null
}

/** The element of that name beside a node, with nothing between them but blanks. */
function besides(node: PictureNode, name: string): PictureNode | null {
  const sides: readonly Side[] = ['previousSibling', 'nextSibling']
  for (const side of sides) {
    let found = node[side]
    while (found?.nodeName === '#text' && (found.textContent ?? '').trim() === '') found = found[side]
    if (found?.nodeName === name) return found
  }
  return null
}
