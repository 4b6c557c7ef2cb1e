import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { until } from '../../helpers/until.ts'

/** Where Debian and others install it; undefined without one. `ALERTMANAGER` names another. */
export const alertmanagerPath = [
  process.env.ALERTMANAGER,
  '/usr/bin/prometheus-alertmanager',
  '/usr/bin/alertmanager'
].find(file => file !== undefined && isExecutable(file))

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** A real Alertmanager that sends to `receiver` at once. */
export async function startAlertmanager(program: string, receiver: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'alertmanager-'))
  const port = await freePort()
  const webhook = { url: receiver, send_resolved: true }
  const config = {
    route: { receiver: 'galley', group_by: ['job'], group_wait: '0s', group_interval: '1s', repeat_interval: '1h' },
    receivers: [{ name: 'galley', webhook_configs: [webhook] }]
  }
  // JSON is YAML.
  writeFileSync(path.join(folder, 'alertmanager.yml'), JSON.stringify(config))
  const args = [
    `--config.file=${path.join(folder, 'alertmanager.yml')}`,
    `--storage.path=${folder}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--cluster.listen-address='
  ]
  const child = spawn(program, args, { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  const isReady = async () => {
    const ending = child.exitCode ?? child.signalCode
    if (ending !== null) throw new Error(`Alertmanager ended with ${ending}: start it by hand to see why.`)
    return fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false
    )
  }
  await until(isReady, 'Alertmanager is ready')
  return {
    alert: async (...alerts: object[]) => {
      const body = JSON.stringify(alerts)
      const { status } = await fetch(`${url}/api/v2/alerts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body
      })
      return status
    },
    async close() {
      const ended = once(child, 'exit')
      child.kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
