/**
 * The script of pages: search as you type with suggestions, and the spoken sentence highlighted while an episode plays. Pages work without it. It
 * puts nothing into a page but what the site's own search page shows.
 */
export const script = `
const form = document.querySelector('form.search')
const found = document.getElementById('found')
if (form && found) {
  let timer, last
  const search = async () => {
    const q = form.q.value.trim()
    last?.abort()
    last = new AbortController()
    if (!q) found.replaceChildren()
    try {
      const url = form.action + (q && '?' + new URLSearchParams({ q }))
      const answer = await fetch(url, { signal: last.signal, headers: { accept: 'text/html' } })
      if (!answer.ok) return
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      found.replaceChildren(...page.getElementById('found').childNodes)
      document.title = page.title
      history.replaceState(null, '', url)
    } catch {}
  }
  const titles = document.getElementById('titles')
  const suggest = async () => {
    const q = form.q.value.trim()
    if (q.length < 2) return
    try {
      const answer = await fetch(titles.dataset.from + '?' + new URLSearchParams({ q: q.slice(0, 100) }))
      if (!answer.ok) return
      const { items, completions } = await answer.json()
      const typed = q.replace(/[^\\s]+$/, '')
      const texts = [...completions.slice(0, 3).map(word => typed + word), ...items.map(({ title }) => title)]
      titles.replaceChildren(...texts.map(text => new Option(text, text)))
    } catch {}
  }
  form.q.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => (suggest(), search()), 300)
  })
}

const audio = document.querySelector('audio[data-transcript]')
if (audio && self.Highlight) {
  const letters = text => [...text.matchAll(/[\\p{L}\\p{N}]/gu)]
  const lower = text => letters(text).map(([letter]) => letter.toLowerCase()).join('')
  let sentences = []
  audio.addEventListener('play', async () => {
    const answer = await fetch(audio.dataset.transcript)
    if (!answer.ok) return
    const positions = []
    let all = ''
    const nodes = document.createTreeWalker(document.querySelector('.text'), NodeFilter.SHOW_TEXT)
    for (let node; (node = nodes.nextNode()); )
      if (!node.parentElement.closest('sup'))
        for (const { 0: letter, index } of letters(node.data))
          for (const part of letter.toLowerCase()) {
            all += part
            for (const _ of part.split('')) positions.push([node, index, letter.length])
          }
    let from = 0
    sentences = (await answer.json()).segments.flatMap(({ startTime, endTime, body }) => {
      const said = lower(body)
      const at = said ? all.indexOf(said, from) : -1
      if (at < 0) return []
      from = at + said.length
      const [[first, start], [end, index, length]] = [positions[at], positions[from - 1]]
      const range = new Range()
      range.setStart(first, start)
      range.setEnd(end, index + length)
      return [{ startTime, endTime, range }]
    })
  }, { once: true })
  audio.addEventListener('timeupdate', () => {
    const now = audio.currentTime
    const spoken = sentences.find(({ startTime, endTime }) => startTime <= now && now < endTime)
    CSS.highlights.set('spoken', new Highlight(...(spoken ? [spoken.range] : [])))
  })
}
`.trim()
