import { listOf, table } from '#cli'
import { command, NotFoundError } from '#core'
import { type Categories, categorySlugFaults } from '../categories.ts'

export const categoryCommands = (categories: Categories) => ({
  list: listCommand(categories),
  describe: describeCommand(categories)
})

const listCommand = (categories: Categories) =>
  command({
    describe: 'Categories by slug, those without a public post too',
    returns: 'list of Category',
    args: {},
    run: async () => listOf(await categories.list()),
    text: ({ items }, terminal) => {
      const rows = items.map(({ slug, name, post_count, description }) => [slug, name, String(post_count), description])
      return table(['CATEGORY', 'NAME', 'POSTS', 'DESCRIPTION'], rows, terminal)
    }
  })

const describeCommand = (categories: Categories) =>
  command({
    describe: 'Name and describe a category, for all its posts',
    returns: 'Category',
    args: {
      slug: { type: 'positional', describe: 'Slug of the category', required: true },
      name: { type: 'string', describe: 'Its name, at most 60 characters', required: true },
      description: { type: 'string', describe: 'What it is about; default: as it was', acceptsEmpty: true }
    },
    validate: ({ slug, name = '', description = '' }) => ({
      ...(slug === undefined ? {} : categorySlugFaults(slug)),
      ...(name.length > 60 ? { name: `has ${name.length} characters; the longest is 60` } : {}),
      ...(description.length > 1000 ? { description: `has ${description.length} characters; the longest is 1000` } : {})
    }),
    run: async ({ args: { slug, name, description } }) => {
      if ((await categories.find(slug)) === undefined)
        throw new NotFoundError(`There is no category ${slug}: "galley categories list" shows those there are.`)
      return categories.describe(slug, { name, description })
    },
    text: ({ slug, name, post_count }) => `The category ${slug} is named "${name}" (${post_count} public posts).`
  })
