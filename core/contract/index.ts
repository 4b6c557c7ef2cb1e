/** `galley/plugin`: the contract between galley and a plugin. What is exported stays for as long as `CONTRACT` does. docs/plugins.md describes it. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'

export type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
export { type Static, type TSchema, Type } from 'typebox'
export type { Log } from '../log.ts'
export {
  type Access,
  access,
  allScopes,
  type CacheRule,
  type FastPath,
  type FastResponse,
  type Principal,
  principalOf,
  requireScope,
  type Scope,
  ScopeError
} from './access.ts'
export { BootError, type BootProblem } from './boot-error.ts'
export type { Changes } from './changes.ts'
export { type Check, type CheckContext, critical, degraded, type Finding, ok, skipped } from './check.ts'
export {
  type ArgDefinition,
  type Args,
  type Command,
  type CommandContext,
  type CommandGroup,
  type CommandOutput,
  type Commands,
  command,
  type Progress,
  type Terminal
} from './command.ts'
export type { Db, Param, Queryable, StatementOptions, Tx } from './database.ts'
export { coreErrors, type ErrorCode, type ErrorDefinition, type ErrorDefinitions, statusOf } from './error-codes.ts'
export {
  AppError,
  AuthError,
  ConflictError,
  type FieldErrors,
  InputError,
  NotFoundError,
  UnavailableError
} from './errors.ts'
export type { BatchRead, GraphqlCheck, GraphqlContext, GraphqlModule, GraphqlResolver } from './graphql.ts'
export type { Installation } from './installation.ts'
export type {
  BatchedEvent,
  Delivery,
  Emit,
  Enqueue,
  EventType,
  Job,
  JobOptions,
  JobType,
  Subscription
} from './jobs.ts'
export type { Metric, Sample } from './metric.ts'
export {
  CONTRACT,
  type Context,
  definePlugin,
  event,
  job,
  jobType,
  on,
  type Plugin,
  type PluginDefinition,
  setting
} from './plugin.ts'
export { type Needs, type Optional, optional, type Service, service } from './services.ts'
export type { Setting, SettingMap, Settings } from './settings.ts'

/** What a plugin's routes are added to: its parameters have the types of their schemas. */
export type App = Parameters<FastifyPluginAsyncTypebox>[0]
