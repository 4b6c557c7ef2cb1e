import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answer, createChatCommands } from '../../../plugins/notify/chat-commands.ts'
import type { ChatCommandGroup, ChatRequest } from '../../../plugins/notify/index.ts'
import { digestNotice } from '../../../plugins/notify/notices.ts'

const received: ChatRequest[] = []
const move: ChatCommandGroup = {
  describe: 'a table of the café',
  commands: {
    move_table: {
      usage: '<table> <room> [reason]',
      isDecision: true,
      run: async request => {
        received.push(request)
        return answer('Moved.')
      }
    }
  }
}
const given = (name: string, rest: string) => ({ name, rest, actor: 'telegram:ada', shownHash: async () => null })

test('a registered command gets the words it requires, and what follows them', async () => {
  const commands = createChatCommands()
  commands.add(move)
  const prepared = commands.prepare(given('move_table', '7  garden it is\nsunny'))
  assert.equal(prepared?.isDecision, true)
  assert.equal((await prepared?.run())?.title, 'Moved.')
  assert.deepEqual([received[0]?.args, received[0]?.text], [['7', 'garden'], 'it is\nsunny'])
})

test('a command without a required word says how it is written, and does nothing', async () => {
  received.length = 0
  const commands = createChatCommands()
  commands.add(move)
  const { title } = (await commands.prepare(given('move_table', '7'))?.run()) ?? {}
  assert.equal(title, 'Which one? Write /move_table <table> <room> [reason].')
  assert.deepEqual(received, [])
})

test('a text that is too long is refused, not cut', async () => {
  received.length = 0
  const commands = createChatCommands()
  commands.add(move)
  const move2000 = commands.prepare(given('move_table', `7 garden ${'😀'.repeat(2_000)}`))
  assert.equal((await move2000?.run())?.title, 'Moved.')
  assert.equal(received[0]?.text, '😀'.repeat(2_000))
  const { title } = (await commands.prepare(given('move_table', `7 garden ${'a'.repeat(2_001)}`))?.run()) ?? {}
  assert.match(
    title ?? '',
    /^What follows \/move_table has 2001 characters; at most 2000 are taken\. Nothing was changed/
  )
  assert.equal(received.length, 1)
})

test('/help lists the registered commands, and an unknown one is none', async () => {
  const commands = createChatCommands()
  commands.add(move)
  const { lines } = (await commands.prepare(given('help', ''))?.run()) ?? {}
  assert.equal(lines?.[0], '/move_table <table> <room> [reason]: a table of the café')
  assert.equal(commands.prepare(given('dance', '')), undefined)
})

test('two commands of one name are refused', () => {
  const commands = createChatCommands()
  commands.add(move)
  assert.throws(() => commands.add(move), /\/move_table is registered twice/)
  const help = { describe: 'x', commands: { help: { usage: '', isDecision: false, run: async () => answer('x') } } }
  assert.throws(() => commands.add(help), /\/help is registered twice/)
})

test('a command that nobody could write is refused', () => {
  const command = { usage: '', isDecision: false, run: async () => answer('x') }
  const group = { describe: 'x', commands: { 'Move-Table': command } }
  assert.throws(() => createChatCommands().add(group), /Move-Table is not 1 to 32 lower-case letters/)
})

test('a combined message offers each overview of its notices once', () => {
  const overview = (cli: string) => ({ label: null, chat: null, hint: '', cli })
  const notices = [
    { title: 'One', overview: overview('galley jobs list') },
    { title: 'Two', overview: overview('galley tasks list --status failed') },
    { title: 'Three', overview: overview('galley jobs list') },
    { title: 'Four' }
  ]
  const { title, actions } = digestNotice('failed', notices)
  assert.equal(title, '4 things failed')
  assert.deepEqual(
    actions.map(({ cli }) => cli),
    ['galley jobs list', 'galley tasks list --status failed']
  )
})
