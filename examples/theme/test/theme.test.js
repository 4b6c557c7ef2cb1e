import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkTheme } from 'galley/plugins/site'
import theme from '../theme.js'

test('every page can be made, and shows texts as texts', () => assert.deepEqual(checkTheme(theme), []))
