import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { BootError } from '../../../core/contract/boot-error.ts'
import { CONTRACT, definePlugin, optional, type Plugin, service, setting } from '../../../core/contract/plugin.ts'
import type { Service } from '../../../core/contract/services.ts'
import { orderPlugins } from '../../../core/kernel/order.ts'

const token = (id: string): Service<object> => service<object>(id)

function plugin(
  name: string,
  { needs = [], wants = [], provides = [], settings = {}, contract = CONTRACT }: Partial<Shape> = {}
): Plugin {
  const named = (ids: string[]) => ids.map(id => [id, token(id)] as const)
  return definePlugin({
    name,
    contract,
    describe: 'A plugin of a test',
    needs: Object.fromEntries([...named(needs), ...wants.map(id => [id, optional(token(id))] as const)]),
    provides: Object.fromEntries(named(provides)),
    settings: settings as never,
    setup: () => ({ services: {} })
  }) as Plugin
}

interface Shape {
  needs: string[]
  wants: string[]
  provides: string[]
  settings: object
  contract: number
}

const k = setting(Type.String(), { default: '', describe: 'A word.' })

const names = (plugins: Plugin[]): string[] => orderPlugins(plugins).map(({ name }) => name)

function problemsOf(plugins: Plugin[]): string[] {
  try {
    orderPlugins(plugins)
    return []
  } catch (error) {
    assert.ok(error instanceof BootError)
    return error.problems.map(problem => `${problem.plugin}: ${problem.cause}`)
  }
}

test('plugins come after those they need, however they are listed', () => {
  const a = plugin('a', { needs: ['b.service'] })
  const b = plugin('b', { needs: ['c.service'], provides: ['b.service'] })
  const c = plugin('c', { provides: ['c.service'] })
  assert.deepEqual(names([a, b, c]), ['c', 'b', 'a'])
  assert.deepEqual(names([c, a, b]), ['c', 'b', 'a'])
})

test('an optional need orders when it is met and is no problem when it is not', () => {
  const a = plugin('a', { wants: ['z.service'] })
  const z = plugin('z', { provides: ['z.service'] })
  assert.deepEqual(names([a, z]), ['z', 'a'])
  assert.deepEqual(names([a]), ['a'])
})

const refusals: { title: string; plugins: Plugin[]; problems: RegExp[] }[] = [
  {
    title: 'another contract',
    plugins: [plugin('old', { contract: 0 })],
    problems: [/^old: it was written for contract 0/]
  },
  { title: 'two of one name', plugins: [plugin('twin'), plugin('twin')], problems: [/^twin: the name "twin"/] },
  {
    title: 'a service brought twice',
    plugins: [plugin('a', { provides: ['s'] }), plugin('b', { provides: ['s'] })],
    problems: [/^b: the service "s" is already brought by a/]
  },
  {
    title: 'a setting brought twice',
    plugins: [plugin('a', { settings: { k } }), plugin('b', { settings: { k } })],
    problems: [/^b: the setting "k"/]
  },
  {
    title: 'an error code declared twice, or the kernel’s, or not as it must be',
    plugins: [
      { ...plugin('a'), errors: { DONE: { status: 409, describe: 'It was done.' } } },
      { ...plugin('b'), errors: { DONE: { status: 409, describe: 'It was done.' } } },
      { ...plugin('c'), errors: { NOT_FOUND: { status: 404, describe: 'It is not there.' } } },
      { ...plugin('d'), errors: { Done: { status: 200, describe: '' } } }
    ],
    problems: [
      /^d: its error code Done is not in SCREAMING_SNAKE_CASE/,
      /^b: the error code "DONE" is already brought by a/,
      /^c: the error code "NOT_FOUND" is already brought by the kernel/
    ]
  },
  {
    title: 'a need nobody meets',
    plugins: [plugin('a', { needs: ['missing'] })],
    problems: [/^a: it needs the service "missing"/]
  },
  {
    title: 'a cycle',
    plugins: [
      plugin('a', { needs: ['b'], provides: ['a'] }),
      plugin('b', { needs: ['a'], provides: ['b'] }),
      plugin('c', { needs: ['a'], provides: ['c'] }),
      plugin('d', { needs: ['c'] })
    ],
    problems: [/^a, b: these plugins depend on each other/]
  },
  {
    title: 'a plugin that needs the service it provides',
    plugins: [plugin('a', { needs: ['a'], provides: ['a'] }), plugin('b', { needs: ['a'] })],
    problems: [/^a: it depends on itself: it needs a service that it provides$/]
  },
  {
    title: 'two that each need their own service, which is no cycle of both',
    plugins: [plugin('a', { needs: ['a', 'b'], provides: ['a'] }), plugin('b', { needs: ['b'], provides: ['b'] })],
    problems: [/^a: it depends on itself/, /^b: it depends on itself/]
  },
  {
    title: 'one that needs itself in a cycle, and another cycle, which needs the first',
    plugins: [
      plugin('a', { needs: ['b', 'a'], provides: ['a'] }),
      plugin('b', { needs: ['a'], provides: ['b'] }),
      plugin('c', { needs: ['d', 'a'], provides: ['c'] }),
      plugin('d', { needs: ['e'], provides: ['d'] }),
      plugin('e', { needs: ['c'], provides: ['e'] })
    ],
    problems: [
      /^a: it depends on itself/,
      /^a, b: these plugins depend on each/,
      /^c, d, e: these plugins depend on each/
    ]
  },
  {
    title: 'an optional need of the service it provides, which it could never be given',
    plugins: [plugin('a', { wants: ['a'], provides: ['a'] })],
    problems: [/^a: it depends on itself/]
  },
  {
    title: 'everything at once',
    plugins: [plugin('a', { contract: 9, needs: ['missing'] }), plugin('a')],
    problems: [/contract 9/, /the name "a"/, /needs the service "missing"/]
  }
]

for (const { title, plugins, problems } of refusals) {
  test(`refused, naming the plugin: ${title}`, () => {
    const found = problemsOf(plugins)
    assert.equal(found.length, problems.length, found.join('\n'))
    for (const [index, pattern] of problems.entries()) assert.match(found[index] ?? '', pattern)
  })
}

for (const name of ['Post', 'two words', 'snake_case', '1st', 'a--b', '-a', 'a-', '@acme/a', '']) {
  test(`the name ${JSON.stringify(name)} is refused`, () => {
    assert.deepEqual(problemsOf([plugin(name)]), [`${name}: its name ${JSON.stringify(name)} is not in kebab case`])
  })
}

test('a setting without a schema is refused by its key', () => {
  assert.match(
    String(problemsOf([plugin('a', { settings: { a_limit: { default: 1, describe: 'A limit.' } } })])),
    /^a: the default of its setting a_limit cannot be checked against its schema \(/
  )
})
