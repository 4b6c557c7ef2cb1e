import { mediaSettings } from '../../../../plugins/media/settings.ts'

/** The settings of the plugin with some values; a secret is sent anywhere. */
export function speechSettings(values: Readonly<Record<string, unknown>> = {}) {
  const all: Record<string, unknown> = {
    ...Object.fromEntries(Object.entries(mediaSettings).map(([key, setting]) => [key, setting.default])),
    ...values
  }
  return {
    get: (key: string) => all[key] as never,
    secretFor: (key: string) => ({ value: String(all[key]), fault: null })
  }
}
