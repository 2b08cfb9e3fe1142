/** The public API of svc: what plugins, hooks and embedding programs import. The only barrel. */
export { type CommandArgs, type CommandIo, EXIT, type ExitCode } from './cli/command.ts'
export {
  type BootedService,
  type CommandHost,
  type CommandRunner,
  defineCommandRunner,
} from './cli/command-runner.ts'
export {
  type AddedElements,
  type CompilePart,
  defineCompilePart,
  type KeyPlace,
  type PartContext,
  type PartResult,
} from './compiler/compile-part.ts'
export { type DialectParts, defineDialect } from './dialects/define-dialect.ts'
export type { Dialect, DialectErrors } from './dialects/dialect.ts'
export type { CatalogReader, DescribedColumn } from './dialects/postgres/catalog/catalog-reader.ts'
export { readCatalog } from './dialects/postgres/catalog/read-catalog.ts'
export { columnTypeName } from './dialects/postgres/column-type-name.ts'
export { POSTGRES } from './dialects/postgres/dialect.ts'
export {
  BEGIN,
  BEGIN_READ_ONLY,
  COMMIT,
  PING,
  ROLLBACK,
  sessionSettings,
  settingsParameters,
  settingsStatement,
} from './dialects/postgres/session.ts'
export { encodeParameters } from './dialects/postgres/text-parameters.ts'
export type { FinishedRead, PackedRead, PreparedRead, ReadGuard } from './dialects/prepared-read.ts'
export type * from './dialects/prepared-write.ts'
export type { PageOrder, Primitives } from './dialects/primitives.ts'
export type * from './dialects/sql-value.ts'
export { CODES, describeCode, type ErrorCode } from './errors/codes.ts'
export { type DatabaseErrorContext, fromDatabaseError, fromStoredData } from './errors/from-database.ts'
export { ResultTooLarge } from './errors/result-too-large.ts'
export { SvcError, type SvcErrorOptions } from './errors/svc-error.ts'
export type {
  AbortListener,
  Cancellable,
  Catalog,
  CatalogFunction,
  CatalogNames,
  CatalogRelation,
  Database,
  DatabaseConfig,
  DatabaseDriver,
  DriverContext,
  PoolState,
  Session,
  Setting,
  StreamOptions,
  TransactionOptions,
} from './front/database.ts'
export type { Auth, Exchange, Transport } from './front/exchange.ts'
export type { AnyExchange, HttpExchange, OtherExchange } from './front/http-exchange.ts'
export type * from './front/operation.ts'
export type { Reply } from './front/reply.ts'
export type { Result } from './front/result.ts'
export type { LentRow, Parameter, Row, Rows, Statement } from './front/statement.ts'
export { errorHeaders, type PublicError, toPublicError } from './http/render-error.ts'
export type { Arrival, Enter } from './kernel/entrance.ts'
export {
  type CodeDefinition,
  type CommandDefinition,
  type JsonSchema,
  KERNEL_API,
  type Manifest,
} from './kernel/manifest.ts'
// Stars, because named re-exports cannot be augmented by `declare module 'svc'`.
export type { PeerListener, Peers } from './kernel/peers.ts'
export { definePlugin, type Plugin } from './kernel/plugin.ts'
export type * from './kernel/scope.ts'
export type * from './kernel/stages.ts'
export { guardOf } from './lifecycle/guard-of.ts'
export { argumentsOf } from './plan/arguments-of.ts'
export type { Operand } from './plan/condition.ts'
export type { OperatorId } from './plan/operator.ts'
export { filterTypeName, type OperandKind, type Operator, operatorsFor } from './plan/operators.ts'
export type { WritePlan } from './plan/plan-write.ts'
export type { Direction, Leaf } from './plan/read-plan.ts'
export type { Target } from './plan/stored-value.ts'
export { type PlannedCall, passedBy } from './plan/write-call.ts'
export type * from './schema/authored.ts'
export { type Coercer, coerceInput, compileCoercer, toInputError } from './schema/coerce.ts'
export type { Generation, GenerationSlot } from './schema/generation.ts'
export {
  builtinShape,
  type EnumShape,
  type InputShape,
  lazily,
  type ObjectShape,
  type ScalarShape,
  type ShapeField,
  shapeOf,
  toShapeField,
} from './schema/input-shape.ts'
export { blockOf } from './schema/link.ts'
export type * from './schema/model.ts'
export { BUILTIN_SCALARS, type BuiltinScalar, scalarOf } from './schema/scalars.ts'
export {
  isListRef,
  type ListTypeRef,
  type NamedTypeRef,
  namedTypeOf,
  parseTypeRef,
  printTypeRef,
  type TypeRef,
} from './schema/type-ref.ts'
export { Counter, Histogram, type Metric, type MetricDefinition, type Sample } from './signals/instruments.ts'
export type { SeriesOf } from './signals/metrics-registry.ts'
export type * from './signals/plugin-signals.ts'
export type { Signal, SignalListener, Signals } from './signals/signals.ts'
export {
  EMPTY,
  identifier,
  integer,
  join,
  literal,
  NULL,
  parameter,
  render,
  type SqlFragment,
  sql,
} from './sql/fragment.ts'
export { ExactNumber, numberOf, parseJson, writeJson } from './util/exact-number.ts'
export { type LentText, WrappedText } from './util/lent-text.ts'
export { didYouMean, listNames, nearest } from './util/nearest.ts'
export { isPromise } from './util/promise.ts'
