import { boot, type KernelDeps } from '../core/kernel/boot.ts'
import type { Kernel } from '../core/kernel/kernel.ts'
import { originOf } from '../core/kernel/origin.ts'
import { type HeartbeatReport, heartbeatPlugin } from './checks/heartbeat.ts'
import { refuseMisspeltCommands } from './framework/command-fields.ts'
import { commandsInTime } from './framework/load-in-time.ts'
import { finishRotation } from './keys/finish-rotation.ts'
import { reservedNames } from './reserved-names.ts'

type ServiceDeps = Omit<KernelDeps, 'reserved'> & {
  /** Looks at every part of the service. Only a worker asks for it. */
  report?(kernel: Kernel): Promise<HeartbeatReport>
}

/**
 * Boots the kernel as the program runs it: with the heartbeat beside the plugins, and the names of its own commands taken.
 * Commands of third parties are loaded for their form to be checked.
 */
export async function bootService({ plugins, report = reportNothing, ...deps }: ServiceDeps): Promise<Kernel> {
  const heartbeat = heartbeatPlugin(() => report(kernel))
  const kernel: Kernel = boot({ ...deps, plugins: [...plugins, heartbeat], reserved: reservedNames })
  await refuseMisspeltCommands(kernel.plugins.filter(({ plugin }) => originOf(plugin) === 'third-party'))
  const commands = Object.assign({}, ...kernel.plugins.map(commandsInTime))
  return { ...kernel, commands, open: options => openFinished(kernel, options) }
}

/** Opens the kernel, and ends a rotation of the master key that was stopped. */
async function openFinished(kernel: Kernel, options?: { willStart?: boolean }): Promise<void> {
  await kernel.open(options)
  await finishRotation(kernel.keys)
}

const reportNothing = async (): Promise<HeartbeatReport> => {
  throw new TypeError('This process describes the service and runs no jobs.')
}
