import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TSchema, Type } from 'typebox'
import { faultOfOrigins } from '../../../core/http/settings.ts'
import { installationSettings } from '../../../core/settings/installation-settings.ts'
import { faultOfDefault, parseValue, toText } from '../../../core/settings/values.ts'

const timeZone = installationSettings.operator_timezone.schema
const publicUrl = installationSettings.public_url.schema
const list = Type.Array(Type.String({ minLength: 1 }), { maxItems: 2 })
const budgets = Type.Record(
  Type.String(),
  Type.Object({ monthly: Type.Optional(Type.Number()) }, { additionalProperties: false })
)
const onOff = Type.Union([Type.Literal('on'), Type.Literal('off')])

const good: [schema: TSchema, text: string, value: unknown][] = [
  [Type.String(), '', ''],
  [Type.String(), ' kept as it is ', ' kept as it is '],
  [Type.Integer({ minimum: 1, maximum: 5 }), '1', 1],
  [Type.Integer({ minimum: 1, maximum: 5 }), '5', 5],
  [Type.Integer(), '-7', -7],
  [Type.Number({ minimum: 0, maximum: 1 }), '0.75', 0.75],
  [Type.Boolean(), 'true', true],
  [Type.Boolean(), 'false', false],
  [Type.Enum(['required', 'off']), 'off', 'off'],
  [onOff, 'on', 'on'],
  [list, '["one","two"]', ['one', 'two']],
  [timeZone, 'Europe/Berlin', 'Europe/Berlin'],
  [publicUrl, '', ''],
  [publicUrl, 'https://press.example/blog', 'https://press.example/blog'],
  [publicUrl, 'http://[::1]:8000/.well/a..b', 'http://[::1]:8000/.well/a..b'],
  [publicUrl, 'https://größe.example/größe', 'https://größe.example/größe']
]
for (const [schema, text, value] of good) {
  test(`${JSON.stringify(text)} is read as ${JSON.stringify(value)}`, () => {
    assert.deepEqual(parseValue({ schema, default: value, describe: '' }, text), { value })
  })
}

test('a value written as text reads back as itself', () => {
  for (const [schema, , value] of good) {
    assert.deepEqual(parseValue({ schema, default: value, describe: '' }, toText(value)), { value })
  }
})

const bad: [schema: TSchema, text: string, fault: RegExp][] = [
  [Type.Integer({ minimum: 1, maximum: 5 }), '0', /^must be a whole number from 1 to 5$/],
  [Type.Integer({ minimum: 1, maximum: 5 }), '6', /from 1 to 5/],
  [Type.Integer({ minimum: 1 }), '0', /^must be a whole number, 1 or more$/],
  [Type.Integer({ maximum: 5 }), '6', /^must be a whole number, 5 or less$/],
  [Type.Integer(), '1.5', /^must be a whole number$/],
  [Type.Integer(), '', /whole number/],
  [Type.Integer(), ' 5', /whole number/],
  [Type.Integer(), '1e3', /whole number/],
  [Type.Integer(), '0x10', /whole number/],
  [Type.Integer(), '٣', /whole number/],
  [Type.Integer(), '99999999999999999999', /whole number/],
  [Type.Number({ minimum: 0, maximum: 1 }), '1.01', /^must be a number from 0 to 1$/],
  [Type.Number(), 'NaN', /^must be a number$/],
  [Type.Number(), 'Infinity', /^must be a number$/],
  [Type.Boolean(), 'TRUE', /^must be true or false$/],
  [Type.Boolean(), '1', /^must be true or false$/],
  [Type.Enum(['required', 'off']), 'on', /^must be one of: required, off$/],
  [onOff, 'ON', /^must be one of: on, off$/],
  [list, 'one,two', /^must be a list in JSON/],
  [list, '{"0":"one"}', /array/],
  [list, '["one","two","three"]', /2 items/],
  [list, '["one",2]', /^item 1 must be/],
  [budgets, '{"nature":{"yearly":2}}', /^item nature\.yearly is not a known field$/],
  [Type.String({ maxLength: 3 }), 'four', /3 characters/],
  [Type.String({ pattern: '^a+$' }), 'b', /match/],
  [timeZone, 'Mars/Olympus', /^must be an IANA time zone/],
  [timeZone, '+02:00', /^must be an IANA time zone/],
  [timeZone, '', /^must be an IANA time zone/],
  [publicUrl, 'https://press.example/', /match/],
  [publicUrl, 'press.example', /match/],
  [publicUrl, 'https://press.example/a/../b', /\/\.\. in its path/],
  [publicUrl, 'https://press.example/a/.', /in its path/],
  [publicUrl, 'https://press.example/%2E%2e/a', /in its path/],
  [publicUrl, 'https://press.example//other.example', /in its path/],
  [publicUrl, 'https://press.example/a\\b', /in its path/],
  [publicUrl, 'https://press.example:80000', /a port up to 65535/],
  [publicUrl, 'https://[press', /a host/]
]
for (const [schema, text, fault] of bad) {
  test(`${JSON.stringify(text)} is refused: ${fault.source}`, () => {
    const result = parseValue({ schema, default: null as never, describe: '' }, text)
    assert.match('fault' in result ? result.fault : '', fault)
  })
}

test('a default that an operator could give as well is without fault', () => {
  for (const [schema, , value] of good) assert.equal(faultOfDefault({ schema, default: value, describe: '' }), null)
})

const badDefaults: [schema: TSchema, value: unknown, fault: RegExp][] = [
  [Type.Integer({ minimum: 1, maximum: 5 }), 6, /^must be a whole number from 1 to 5$/],
  [Type.Integer(), '3', /^must be a whole number$/],
  [Type.Boolean(), 'true', /^must be boolean$/],
  [Type.String(), 3, /^must be string$/],
  [Type.String(), undefined, /^must be given$/],
  [onOff, 'maybe', /^must be one of: on, off$/],
  [list, ['one', 2], /^item 1 must be/],
  [Type.Number(), 1e-7, /^must be a value that text can stand for$/]
]
for (const [schema, value, fault] of badDefaults) {
  test(`the default ${JSON.stringify(value)} is refused: ${fault.source}`, () => {
    assert.match(faultOfDefault({ schema, default: value, describe: '' }) ?? '', fault)
  })
}

test('origins are whole, and those of web pages', () => {
  for (const list of ['', '*', 'https://press.example, http://[::1]:8000'])
    assert.equal(faultOfOrigins(list), null, list)
  const bad = ['https://*.press.example', 'https://press.example, https://w*.press.example', 'press.example', 'null']
  for (const list of [...bad, 'https://press.example/', 'ftp://press.example', 'wss://press.example'])
    assert.match(faultOfOrigins(list) ?? '', /^must be \* or a comma list of whole origins/, list)
})
