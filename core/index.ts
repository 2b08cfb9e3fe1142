/** The public API of svc: what plugins, hooks and embedding programs import. The only barrel. */
export { CODES, describeCode, type ErrorCode } from './errors/codes.ts'
export { SvcError, type SvcErrorOptions } from './errors/svc-error.ts'
export type {
  Cancellable,
  Catalog,
  CatalogFunction,
  CatalogNames,
  CatalogRelation,
  Database,
  DatabaseConfig,
  DatabaseDriver,
  DialectName,
  Parameter,
  PoolState,
  Row,
  Rows,
  Session,
  Setting,
  Statement,
  StreamOptions,
  TransactionOptions,
} from './front/database.ts'
export type { Auth, Exchange, Transport } from './front/exchange.ts'
export type { HttpExchange } from './front/http-exchange.ts'
export type * from './front/operation.ts'
export type { Reply } from './front/reply.ts'
export type { Result } from './front/result.ts'
export { type JsonSchema, KERNEL_API, type Manifest } from './kernel/manifest.ts'
export { definePlugin, type Plugin } from './kernel/plugin.ts'
export type { Log, ProcessView, Provided, Route, Scope } from './kernel/scope.ts'
export type { CommitEvent, CommittedWrite, Handler, Kind, MaybePromise, Stage, Stages } from './kernel/stages.ts'
export type { Generation, GenerationSlot } from './schema/generation.ts'
export type * from './schema/model.ts'
export {
  isListRef,
  type ListTypeRef,
  type NamedTypeRef,
  namedTypeOf,
  parseTypeRef,
  printTypeRef,
  type TypeRef,
} from './schema/type-ref.ts'
export type { Signal, SignalListener, Signals } from './signals/signals.ts'
export { didYouMean, listNames, nearest } from './util/nearest.ts'
