import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message the server accepted, as `sendMessage` was asked. */
export interface ChatMessage {
  message_id: number
  chat_id: string
  text: string
  reply_parameters?: { message_id: number }
  reply_markup?: { inline_keyboard: { text: string; callback_data: string }[][] }
}

export interface BotRequest {
  method: string
  body: Record<string, unknown>
}

/** Answers one request instead of the server; `accept` does what the server would have done, without answering. */
export type Behaviour = (response: ServerResponse, accept: () => unknown) => void

/** Refuses as Telegram does. */
export function refuses(error_code: number, description: string, parameters?: object): Behaviour {
  return response =>
    response
      .writeHead(error_code, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ok: false, error_code, description, parameters }))
}

/** Loses the connection before anything was taken. */
export const cuts: Behaviour = response => response.destroy()
/** Takes the message and loses the connection before the answer. */
export const cutsAfterwards: Behaviour = (response, accept) => {
  accept()
  response.destroy()
}
/** What a broken proxy says. */
export const junk: Behaviour = response => response.writeHead(502).end('<html>Bad gateway</html>')
/** Never answers. */
export const hangs: Behaviour = () => {}
/** Takes the message, and answers when it is let go. */
export function slow(): Behaviour & { begun: Promise<void>; release(): void } {
  const begun = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const behaviour: Behaviour = async (response, accept) => {
    const result = accept()
    begun.resolve()
    await released.promise
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: true, result }))
  }
  return Object.assign(behaviour, { begun: begun.promise, release: () => released.resolve() })
}

interface Speaker {
  chat?: number
  user?: { id: number; username?: string }
  type?: string
  /** A number that was reserved: it was written before what came since. */
  message_id?: number
  /** The message that it is a reply to. */
  reply_to?: number
}

/** A server on loopback that speaks Telegram's Bot API for one bot and does what it is told. */
export interface TelegramServer {
  readonly url: string
  readonly token: string
  readonly chat: number
  /** Accepted messages, in their order. */
  readonly messages: ChatMessage[]
  readonly requests: BotRequest[]
  /** Polls held open at this moment, and the most there were at once. */
  readonly polls: { open: number; maxOpen: number }
  /** Settings that lead a service here. */
  settings(): Record<string, string>
  /** What the next requests of a method get, one each; then it answers by itself again. */
  script(method: string, ...behaviours: Behaviour[]): void
  /** What the next message whose text fits gets, once, whatever is sent before it. */
  scriptMessage(pattern: RegExp, behaviour: Behaviour): void
  /** Somebody writes to the bot; answers the update's id. */
  say(text: string, speaker?: Speaker): number
  press(data: string, message_id: number, speaker?: Speaker): number
  /** The number of a message that is written now and read later. */
  reserve(): number
  /** Stops taking connections, until `back`. */
  disconnect(): Promise<void>
  reconnect(): Promise<void>
  close(): Promise<void>
}

const defaultSpeaker = { chat: 4711, user: { id: 99, username: 'ada' }, type: 'private' }

export async function startTelegramServer(): Promise<TelegramServer> {
  const token = '123456:a-token-of-the-test-suite'
  const messages: ChatMessage[] = []
  const requests: BotRequest[] = []
  const scripts = new Map<string, Behaviour[]>()
  const awaited: { pattern: RegExp; behaviour: Behaviour }[] = []
  const polls = { open: 0, maxOpen: 0 }
  let updates: { update_id: number }[] = []
  let lastUpdate = 1000
  let lastMessage = 0
  let wake = () => {}

  const add = (update: object): number => {
    updates.push({ update_id: ++lastUpdate, ...update })
    wake()
    return lastUpdate
  }
  const send = (body: Record<string, unknown>) => {
    const message = { ...(body as unknown as ChatMessage), message_id: ++lastMessage, chat_id: String(body.chat_id) }
    messages.push(message)
    return { message_id: message.message_id, date: 0, chat: { id: Number(body.chat_id), type: 'private' } }
  }
  const edit = (body: Record<string, unknown>) => {
    const message = messages.find(({ message_id }) => message_id === body.message_id)
    if (message === undefined) return undefined
    delete message.reply_markup
    return Object.assign(message, {
      text: body.text,
      ...(body.reply_markup === undefined ? {} : { reply_markup: body.reply_markup })
    })
  }
  let endPoll = () => {}
  const poll = async ({ offset = 0, timeout = 0 }: { offset?: number; timeout?: number }, response: ServerResponse) => {
    updates = updates.filter(({ update_id }) => update_id >= offset)
    // The newest poller wins, as with Telegram.
    endPoll()
    if (updates.length === 0 && timeout > 0) {
      const { promise, resolve } = Promise.withResolvers<'woken' | 'ended' | 'closed'>()
      wake = () => resolve('woken')
      endPoll = () => resolve('ended')
      response.on('close', () => resolve('closed'))
      polls.open += 1
      polls.maxOpen = Math.max(polls.maxOpen, polls.open)
      const why = await promise
      polls.open -= 1
      if (why === 'closed') return
      if (why === 'ended') return refuses(409, 'Conflict: terminated by other getUpdates request')(response, () => {})
    }
    endPoll = () => {}
    ok(response, updates)
  }
  const methods: Record<string, (body: Record<string, unknown>) => unknown> = {
    sendMessage: send,
    editMessageText: edit,
    answerCallbackQuery: () => true,
    getMe: () => ({ id: 123456, is_bot: true, first_name: 'Galley', username: 'galley_bot' })
  }
  const takeScripted = (method: string, { text }: Record<string, unknown>): Behaviour | undefined => {
    const at = method === 'sendMessage' ? awaited.findIndex(({ pattern }) => pattern.test(String(text))) : -1
    return at < 0 ? scripts.get(method)?.shift() : awaited.splice(at, 1)[0]?.behaviour
  }
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const [, given, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? []
    const text = await textOf(request).catch(() => null)
    // Whoever asked has gone.
    if (text === null) return
    const body = JSON.parse(text === '' ? '{}' : text)
    requests.push({ method, body })
    if (given !== token) return refuses(401, 'Unauthorized')(response, () => {})
    const behaviour = takeScripted(method, body)
    if (behaviour !== undefined) return behaviour(response, () => methods[method]?.(body))
    if (method === 'getUpdates') return poll(body, response)
    const answer = methods[method]
    if (answer === undefined) return refuses(404, 'Not Found')(response, () => {})
    const result = answer(body)
    if (result === undefined) return refuses(400, 'Bad Request: message to edit not found')(response, () => {})
    ok(response, result)
  }
  const server = createServer(serve)
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const stop = async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  const port = await listen(0)
  const url = `http://127.0.0.1:${port}`
  const chatOf = ({ chat, type }: Speaker) => ({ id: chat, type })
  return {
    ...{ url, token, chat: defaultSpeaker.chat, messages, requests, polls },
    settings: () => ({
      telegram_api_root: url,
      telegram_bot_token: token,
      telegram_chat_id: String(defaultSpeaker.chat)
    }),
    script: (method, ...behaviours) => void scripts.set(method, behaviours),
    scriptMessage: (pattern, behaviour) => void awaited.push({ pattern, behaviour }),
    say(text, speaker) {
      const by = { ...defaultSpeaker, ...speaker }
      const message_id = speaker?.message_id ?? ++lastMessage
      const reply = speaker?.reply_to === undefined ? {} : { reply_to_message: { message_id: speaker.reply_to } }
      return add({ message: { message_id, date: 0, chat: chatOf(by), from: by.user, text, ...reply } })
    },
    press(data, message_id, speaker) {
      const by = { ...defaultSpeaker, ...speaker }
      const message = { message_id, date: 0, chat: chatOf(by) }
      return add({ callback_query: { id: String(lastUpdate + 1), from: by.user, chat_instance: '1', data, message } })
    },
    reserve: () => ++lastMessage,
    disconnect: stop,
    reconnect: async () => void (await listen(port)),
    close: async () => {
      if (server.listening) await stop()
    }
  }
}

const ok = (response: ServerResponse, result: unknown) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: true, result }))

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request) text += piece
  return text
}
