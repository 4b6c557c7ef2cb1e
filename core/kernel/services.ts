import type { Needs, Plugin, Provides } from '../contract/plugin.ts'

/** Services by token id. */
export type Services = Map<string, unknown>

/** What a plugin's `needs` stand for; an unmet optional one is undefined. */
export function resolveNeeds(services: Services, needs: Needs): Record<string, unknown> {
  return Object.fromEntries(Object.entries(needs).map(([name, token]) => [name, services.get(token.id)]))
}

/** Takes the services a plugin promised; answers the names of those it did not give. */
export function takeServices(services: Services, plugin: Plugin, given: Record<string, unknown>): string[] {
  const promised: Provides = plugin.provides ?? {}
  const missing = Object.keys(promised).filter(name => given[name] === undefined)
  for (const [name, token] of Object.entries(promised)) services.set(token.id, given[name])
  return missing
}
