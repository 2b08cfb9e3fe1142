/** `'svc/driver'`: for plugins that add a database: a driver, a dialect, or both. */

export { fromDatabaseError, fromStoredData } from '../base/errors/from-database.ts'
export { ResultTooLarge } from '../base/errors/result-too-large.ts'
export { SettingsRefused } from '../base/errors/settings-refused.ts'
export { unknownAtDeadline, unknownOutcome } from '../base/errors/unknown-outcome.ts'
export { firstBatchSize, nextBatchSize } from '../base/util/batch-size.ts'
export { escapePercents } from '../base/util/escape-percents.ts'
export type { AbortListener, Cancellable } from '../contract/cancellable.ts'
export type {
  Catalog,
  CatalogFunction,
  CatalogNames,
  CatalogRelation,
  DatabaseConfig,
  DatabaseDriver,
  DriverContext,
  PoolState,
  Session,
  StreamOptions,
  TransactionOptions,
} from '../contract/database.ts'
export type { DatabaseModel } from '../contract/database-model.ts'
export type { Dialect, DialectErrors, SampledSource } from '../contract/dialect.ts'
export type { Operand } from '../contract/plan/condition.ts'
export type { Direction, Leaf } from '../contract/plan/plan-parts.ts'
export type { PlannedCall } from '../contract/plan/planned-call.ts'
export type { Target } from '../contract/plan/stored-value.ts'
export type { WritePlan } from '../contract/plan/write-plan.ts'
export type { FinishedRead } from '../contract/prepared-read.ts'
export type { BoundWrite, PreparedWrite } from '../contract/prepared-write.ts'
export type { Setting } from '../contract/setting.ts'
export type { BindInput } from '../contract/slot.ts'
export type { LentRow } from '../contract/statement.ts'
export { either, onText, onValue } from '../dialects/emit-operator.ts'
export type { PageKey, PageOrder, PartOfList } from '../dialects/page-sql.ts'
export type { CatalogReader, DescribedColumn } from '../dialects/postgres/catalog/catalog-reader.ts'
export { hasSessionSetters } from '../dialects/postgres/catalog/has-session-setters.ts'
export { readCatalog } from '../dialects/postgres/catalog/read-catalog.ts'
export { columnTypeName } from '../dialects/postgres/column-type-name.ts'
export { POSTGRES } from '../dialects/postgres/dialect.ts'
export { readDatabaseModel } from '../dialects/postgres/introspect/read-database-model.ts'
export { RoleSettings } from '../dialects/postgres/role-settings.ts'
export {
  BEGIN,
  BEGIN_READ_ONLY,
  BEGIN_SNAPSHOT,
  COMMIT,
  mayChangeSession,
  PING,
  PLAN_WITH_VALUES,
  ROLLBACK,
  refusedSettings,
  sessionSettings,
  settingsParameters,
  settingsStatement,
} from '../dialects/postgres/session.ts'
export { encodeParameters } from '../dialects/postgres/text-parameters.ts'
export type { GroupKey, Primitives } from '../dialects/primitives.ts'
export type { TimeForms } from '../dialects/result-rows/leaf-text.ts'
export { ResultFault } from '../dialects/result-rows/result-fault.ts'
export { writeResultRows } from '../dialects/result-rows/write-result-rows.ts'
export type {
  Comparable,
  ComparedKeys,
  EmitOperator,
  LeafProof,
  LookupTexts,
  Projection,
  SqlMember,
  SqlValue,
  TextMember,
} from '../dialects/sql-value.ts'
export { uniqueKeys } from '../dialects/unique-keys.ts'
export { jsonColumns } from '../dialects/view-shape/json-columns.ts'
export { type ProvenRelation, type ProvenRows, proveViews } from '../dialects/view-shape/prove-views.ts'
export { isWord, nameOf, splitTokens, type Token, tokensOf } from '../dialects/view-shape/tokens.ts'
export { defineDialect } from '../dialects/walker/define-dialect.ts'
export { concatenated, objectTextParts } from '../dialects/walker/object-value.ts'
export { passedBy } from '../engine/plan/write/write-call.ts'
export { EMPTY, integer, join, literal, NULL, qualified, type SqlFragment } from '../engine/sql/fragment.ts'
export { ConnectionLimit } from '../pool/connection-limit.ts'
export { Health } from '../pool/health.ts'
export { abortedError, tooMany, unavailable } from '../pool/pool-errors.ts'
export type { ConnectionOpener, SessionPoolOptions } from '../pool/pool-room.ts'
export type { PooledConnection } from '../pool/pooled-connection.ts'
export { SessionPool } from '../pool/session-pool.ts'
export type { AggregateFunction } from '../schema/aggregate-type.ts'
export type { Period } from '../schema/group-keys.ts'
export type { OperatorId } from '../schema/operators/operator.ts'
export type { EnumType, ScalarType } from '../schema/type-model.ts'
export { AbortSource } from '../service/lifecycle/abort-source.ts'
