// The site that bench/export.ts has Eleventy make: the same pages as galley's export of the same posts.
import syntaxHighlight from '@11ty/eleventy-plugin-syntaxhighlight'

const longDay = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })
const longMonth = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const monthOf = date => date.toISOString().slice(0, 7)
const newest = (api, count) => api.getFilteredByGlob('posts/*.md').reverse().slice(0, count)
const periods = items =>
  Object.entries(Object.groupBy(items, ({ date }) => monthOf(date))).map(([month, posts]) => ({ month, posts }))

/** What the layout asks for each post, made once. */
function besideOf(api) {
  const posts = api.getFilteredByGlob('posts/*.md')
  return new Map(posts.map((post, at) => [post.url, { previous: posts[at - 1], next: posts[at + 1] }]))
}

function labels(api, key) {
  const posts = newest(api)
  const names = new Set(posts.flatMap(({ data }) => data[key]))
  return [...names].map(name => {
    const items = posts.filter(({ data }) => [data[key]].flat().includes(name))
    return { name, items, years: [...new Set(items.map(({ date }) => date.getUTCFullYear()))] }
  })
}

export default function configure(config) {
  config.addPlugin(syntaxHighlight)
  config.addCollection('beside', besideOf)
  config.addCollection('newest', api => newest(api, 10))
  config.addCollection('fed', api => newest(api, 50))
  config.addCollection('mapped', api => newest(api))
  config.addCollection('months', api => periods(newest(api)))
  config.addCollection('categories', api => labels(api, 'category'))
  config.addCollection('labels', api => labels(api, 'labels'))
  config.addCollection('years', api =>
    ['category', 'labels'].flatMap(key =>
      labels(api, key).flatMap(({ name, items, years }) =>
        years.map(year => ({ key, name, year, items: items.filter(({ date }) => date.getUTCFullYear() === year) }))
      )
    )
  )
  config.addFilter('day', date => longDay.format(date))
  config.addFilter('month', month => longMonth.format(new Date(`${month}-15`)))
  config.addFilter('iso', date => date.toISOString())
  config.addFilter('json', value => JSON.stringify(value).replaceAll('<', '\\u003c'))
  config.addFilter('minutes', text => Math.max(1, Math.ceil(text.length / 1400)))
  return { markdownTemplateEngine: false, htmlTemplateEngine: 'njk' }
}
