import { once } from 'node:events'
import { ConflictError, command, type FieldErrors, type Installation } from '#core'
import { startRelay } from '../relay/relay.ts'

/** Beside those of Alertmanager, 9093 and 9094. */
const defaultPort = 9095

/** `galley webhooks relay`: signs alerts for senders that cannot. */
export const relayCommand = ({ installation, alertSecret }: { installation: Installation; alertSecret(): string }) =>
  command({
    describe: 'Listen on this machine, sign the alerts that come, and hand them to the service, until Ctrl-C',
    returns: '{url} once it listens, then {path, bytes, status, error} for each request',
    args: {
      port: {
        type: 'integer',
        describe: 'Port of 127.0.0.1; 0 takes a free one',
        default: defaultPort,
        minimum: 0,
        maximum: 65_535
      },
      to: {
        type: 'string',
        placeholder: 'URL',
        describe: 'Address of the service; default: this machine, at HOST and PORT'
      }
    },
    validate: ({ to }): FieldErrors =>
      to === undefined || /^https?:\/\/[^/@?#]+\/?$/.test(to)
        ? {}
        : { to: 'must be an address such as http://127.0.0.1:8000' },
    async run({ args, isJson, terminal, output }) {
      if (alertSecret() === '')
        throw new ConflictError('There is no secret to sign with: set alertmanager_webhook_secret.')
      // Not the public address: an alert may be about the way to it.
      const target = (args.to ?? installation.localUrl()).replace(/\/$/, '')
      const print = (fact: object, line: string) => output.print(isJson ? JSON.stringify(fact) : line)
      const relay = await startRelay({
        port: args.port,
        target,
        secret: alertSecret,
        onRelayed: relayed =>
          print(
            relayed,
            `${relayed.status} ${relayed.path}, ${relayed.bytes} bytes${relayed.error === null ? '' : `: ${relayed.error}`}`
          )
      })
      try {
        print({ url: relay.url }, `Relaying ${relay.url} to ${target}/alert-router`)
        const stop = AbortSignal.any([terminal.signal, output.closed])
        if (!stop.aborted) await once(stop, 'abort')
      } finally {
        await relay.close()
      }
      return undefined
    },
    text: () => ''
  })
