import { UnavailableError } from '#core'

/** What plugins register by name, for a setting to choose from. */
export interface Drivers<Driver> {
  /** @throws TypeError for a name that is taken */
  register(name: string, driver: Driver): void
  named(name: string): Driver | undefined
  /** The name the setting holds. */
  chosenName(): string
  /** @throws UnavailableError when the setting names one that nobody registered */
  chosen(): Driver
  /** Why the chosen one cannot be used: its name is unknown, or a setting of its own is missing. Else null. */
  chosenFault(): string | null
  /** What is wrong with a name for the setting; null when somebody registered it. */
  faultOf(name: string): string | null
}

interface DriversOptions {
  /** What they are, to begin a sentence with: `A speech driver`. */
  kind: string
  /** The key of the setting. */
  setting: string
  chosenName(): string
}

export function createDrivers<Driver extends { readonly settingsFault?: string | null }>({
  kind,
  setting,
  chosenName
}: DriversOptions): Drivers<Driver> {
  const drivers = new Map<string, Driver>()
  const names = () => [...drivers.keys()]
  const chosen = () => drivers.get(chosenName())
  const unknownName = () =>
    `The setting ${setting} is ${chosenName()}, which no plugin provides: set it to ${names().join(' or ')}.`
  return {
    register(name, driver) {
      if (drivers.has(name)) throw new TypeError(`${kind} named ${name} is registered already.`)
      drivers.set(name, driver)
    },
    named: name => drivers.get(name),
    chosenName,
    chosen() {
      const driver = chosen()
      if (driver === undefined) throw new UnavailableError(unknownName())
      return driver
    },
    chosenFault() {
      const driver = chosen()
      return driver === undefined ? unknownName() : (driver.settingsFault ?? null)
    },
    faultOf: name => (drivers.has(name) ? null : `must be one of ${names().join(', ')}`)
  }
}
