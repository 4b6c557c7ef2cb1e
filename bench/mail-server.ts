// A mail server that takes everything and keeps nothing, in a process of its own; it prints its address when it listens.
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  onData(stream, _session, done) {
    stream.on('end', () => done())
    stream.resume()
  }
})
server.on('error', () => {})
server.listen(0, '127.0.0.1', () => console.log(`smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`))
