import { Type } from 'typebox'
import { setting } from '../contract/plugin.ts'

/** Settings of the kernel itself. */
export const installationSettings = {
  public_url: setting(Type.String({ pattern: '^(https?://[^\\s/?#]+(/[^\\s?#]*[^\\s/?#])?)?$', maxLength: 300 }), {
    default: '',
    category: 'settings',
    describe: 'Address readers reach the service at, without a trailing slash; empty: the address it listens on.'
  }),
  operator_timezone: setting(
    Type.Refine(Type.String({ maxLength: 64 }), isTimeZone, () => 'must be an IANA time zone such as Europe/Berlin'),
    {
      default: 'UTC',
      category: 'settings',
      describe: 'IANA time zone that times without an offset are read in, and that commands show times in.'
    }
  )
}

function isTimeZone(name: string): boolean {
  // Intl also takes offsets such as +02:00, which know no summer time.
  if (!/^[a-z]/i.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
