/** The public API of svc: what plugins, hooks and embedding programs import. The only barrel. */

export { denialSet } from './access/denial-set.ts'
export { NO_ACCESS } from './access/no-access.ts'
export { type Reach, reachOf } from './access/reach.ts'
export { refuseMasked } from './access/refuse-masked.ts'
export { rowFilter } from './access/row-filter.ts'
export type { Middleware, MiddlewareNext, MiddlewareReply, MiddlewareRequest } from './authoring/middleware.ts'
export type { AfterMutation, BeforeMutation, HookContext } from './authoring/mutation-hooks.ts'
export { type ChangeEvent, type ChangeKind, eventOfWrite, toChangeKind, UNORDERED } from './changes/change-event.ts'
export { type Condition, compileCondition, type MoreNames } from './changes/condition.ts'
export { type EntityShape, shapeOfAuthored, shapeOfModel } from './changes/entity-shape.ts'
export type { InProcessBus } from './changes/in-process-bus.ts'
export { loadInProcessBus } from './changes/load-in-process-bus.ts'
export { type ObservedChange, type ObservedRow, observe } from './changes/observed-change.ts'
export { type CommandArgs, type CommandIo, EXIT, type ExitCode } from './cli/command.ts'
export { type BootedService, type CommandHost, type CommandRunner, defineCommandRunner } from './cli/command-runner.ts'
export { type DoctorCheck, type DoctorHost, defineDoctorCheck } from './cli/doctor/doctor-check.ts'
export { examineServer } from './cli/doctor/examine-server.ts'
export { type Finding, failed, ok, skipped, warning } from './cli/doctor/finding.ts'
export { JSON_FLAG, printJson } from './cli/json-output.ts'
export { takeStdout } from './cli/take-stdout.ts'
export type { AddedElements, CompilePart, KeyPlace, PartContext, PartResult } from './compiler/compile-part.ts'
export { defineCompilePart } from './compiler/compile-part.ts'
export type * from './contract/access.ts'
export type { AbortListener, Cancellable } from './contract/cancellable.ts'
export type { CommittedWrite } from './contract/committed-write.ts'
export type { Credential, OwnedCredential } from './contract/credential.ts'
export type * from './contract/database.ts'
export type { Auth, Exchange, Transport } from './contract/exchange.ts'
export type { ExplainedStatement, ExplainOptions, Explanation } from './contract/explanation.ts'
export type { AnyExchange, HttpExchange, MatchedRoute, OtherExchange } from './contract/http-exchange.ts'
export type { MutationCall } from './contract/mutation-call.ts'
export type * from './contract/operation.ts'
export type { PublicError, PublicErrorSource, ToPublicError } from './contract/public-error.ts'
export type { Reply } from './contract/reply.ts'
export type { Result } from './contract/result.ts'
export type * from './contract/result-stream.ts'
export { rootName } from './contract/root-name.ts'
export type { Setting } from './contract/setting.ts'
export type { BindInput } from './contract/slot.ts'
export type { LentRow, Parameter, Row, Rows, Statement } from './contract/statement.ts'
export type { KeyValueStore, StoreCounter, StoreKind } from './contract/store.ts'
export type { TableDefinition, TableVersion } from './contract/table.ts'
export type { TakenConnection, Upgrade, UpgradeHandler } from './contract/upgrade.ts'
export type { WriteContribution, WriteInsert, WriteValue } from './contract/write-contribution.ts'
export { type DialectParts, defineDialect } from './dialects/define-dialect.ts'
export type { Dialect, DialectErrors, SampledSource } from './dialects/dialect.ts'
export { either, onText, onValue } from './dialects/emit-operator.ts'
export type { CatalogReader, DescribedColumn } from './dialects/postgres/catalog/catalog-reader.ts'
export { readCatalog } from './dialects/postgres/catalog/read-catalog.ts'
export { columnTypeName } from './dialects/postgres/column-type-name.ts'
export { POSTGRES } from './dialects/postgres/dialect.ts'
export { RoleSettings } from './dialects/postgres/role-settings.ts'
export * from './dialects/postgres/session.ts'
export { encodeParameters } from './dialects/postgres/text-parameters.ts'
export type { FinishedRead, PackedRead, PreparedRead, ReadGuard } from './dialects/prepared-read.ts'
export type * from './dialects/prepared-write.ts'
export type { GroupKey, PageKey, PageOrder, Primitives } from './dialects/primitives.ts'
export type { TimeForms } from './dialects/result-rows/leaf-text.ts'
export { ResultFault, writeResultRows } from './dialects/result-rows/write-result-rows.ts'
export type * from './dialects/sql-value.ts'
export { concatenated, objectTextParts } from './dialects/text-parts.ts'
export { readViewShape, rowBases, type ViewShape } from './dialects/view-shape/row-bases.ts'
export { CODES, describeCode, type ErrorCode } from './errors/codes.ts'
export { errorAt } from './errors/error-at.ts'
export { type DatabaseErrorContext, fromDatabaseError, fromStoredData } from './errors/from-database.ts'
export { InputErrors, type InputProblem } from './errors/input-errors.ts'
export { ResultTooLarge } from './errors/result-too-large.ts'
export { SettingsRefused } from './errors/settings-refused.ts'
export { SvcError, type SvcErrorOptions } from './errors/svc-error.ts'
export { unknownAtDeadline, unknownOutcome } from './errors/unknown-outcome.ts'
export { projectRow } from './execute/project-row.ts'
export { type ResultRoot, rootsOf } from './execute/result-roots.ts'
export { type CallerNames, isAbsent, pathsOf } from './expression/absence.ts'
export * from './expression/compile-expression.ts'
export { ExpressionFailure, ExpressionFault } from './expression/expression-fault.ts'
export type { ExpressionFunction } from './expression/functions.ts'
export { type ExpressionNode, parseExpression } from './expression/parse-expression.ts'
export { type Decimal, decimalText, instantOf } from './expression/value.ts'
export { acceptable } from './http/acceptable.ts'
export { announceDeprecated } from './http/announce-deprecated.ts'
export { noteCacheUse } from './http/cache-use.ts'
export { createEntityTagger, type EntityTagger, matchesTag } from './http/entity-tag.ts'
export { type PackageAssets, packageAssetReader } from './http/package-assets.ts'
export { isOrigin, originSet, type PageSource, pageSource } from './http/page-source.ts'
export { type QueryPair, readPairs } from './http/query-pairs.ts'
export { readJson } from './http/read-json.ts'
export { errorHeaders } from './http/render-error.ts'
export { isHost } from './http/request-target.ts'
export { createRouter } from './http/router.ts'
export * from './inputs/arguments.ts'
export { type ChooseOptions, chooseFields, type FieldChoice, fieldChoice } from './inputs/choose-fields.ts'
export { defaultSelection, selectionOf } from './inputs/default-selection.ts'
export * from './inputs/generated-inputs.ts'
export * from './inputs/operation-from-values.ts'
export { schemaOfAnswer } from './inputs/schema-of-answer.ts'
export { schemaOfArguments } from './inputs/schema-of-arguments.ts'
export { textValue } from './inputs/text-value.ts'
export { readItems, readMembers, writeMembers } from './json/json-text.ts'
export { type AfterCompile, defineAfterCompile } from './kernel/after-compile.ts'
export type { Arrival, Enter } from './kernel/entrance.ts'
export type { CodeDefinition, CommandDefinition, JsonSchema, Manifest } from './kernel/manifest.ts'
export { KERNEL_API } from './kernel/manifest.ts'
export type { ObservedDatabase, ObservedRoute, Observer, PlanWork, StatementWork } from './kernel/observer.ts'
// Stars, because named re-exports cannot be augmented by `declare module 'svc'`.
export type { PeerListener, Peers } from './kernel/peers.ts'
export { definePlugin, type Plugin } from './kernel/plugin.ts'
export type * from './kernel/scope.ts'
export { defineSdlPrinter, type SdlPrinter, type SdlSource } from './kernel/sdl-printer.ts'
export type * from './kernel/stages.ts'
export type { UpgradeOptions } from './kernel/upgrade-table.ts'
export { type DefaultPolicy, isOpenOperation } from './lifecycle/default-policy.ts'
export { deniedBehind, type IsDenied } from './lifecycle/denied-behind.ts'
export { enterAs, readIdentity } from './lifecycle/enter-as.ts'
export { guardOf, nodeGuardsOf } from './lifecycle/guard-of.ts'
export { mayCall } from './lifecycle/may-call.ts'
export { refuseCredential, refusedExchange } from './lifecycle/refuse-credential.ts'
export { argumentsOf, valueProblem } from './plan/arguments-of.ts'
export type { Operand } from './plan/conditions/condition.ts'
export { fitsField } from './plan/conditions/fits-field.ts'
export { type OperandInput, operandInput } from './plan/conditions/operand-input.ts'
export type { OperatorId } from './plan/conditions/operator.ts'
export {
  anyOperatorOf,
  filterTypeName,
  type OperandKind,
  type Operator,
  operatorsFor,
} from './plan/conditions/operators.ts'
export { SEARCH_ARGUMENT, searchableFields } from './plan/conditions/search.ts'
export { OPERAND_INPUTS } from './plan/conditions/special/operand-inputs.ts'
export type { Direction, Leaf } from './plan/read-plan.ts'
export { GROUP_OPERATORS } from './plan/rows/having.ts'
export { isOrderable } from './plan/rows/order.ts'
export type { Target } from './plan/rows/stored-value.ts'
export { digestOf } from './plan/template-digest.ts'
export { keyArguments, namesKey } from './plan/write/key-argument.ts'
export type { WritePlan } from './plan/write/plan-write.ts'
export { type PlannedCall, passedBy } from './plan/write/write-call.ts'
export { AGGREGATE_SUFFIXES } from './schema/aggregate-names.ts'
export { aggregateType, isGroupKey } from './schema/aggregate-type.ts'
export {
  type Aggregates,
  aggregatesOf,
  FIELD_FUNCTIONS,
  type FieldFunction,
  type MeasuredField,
} from './schema/aggregates-of.ts'
export type * from './schema/authored.ts'
export { type Coercer, coerceInput, compileCoercer, toInputError } from './schema/coerce.ts'
export * from './schema/field-set.ts'
export type { Generation, GenerationSlot } from './schema/generation.ts'
export { type GroupKeyModel, groupedBy, PERIODS, type Period } from './schema/group-keys.ts'
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
export { isAcross } from './schema/link-fields.ts'
export type * from './schema/model.ts'
export { queriesGiving } from './schema/queries-giving.ts'
export { rowFilterProblem, splitRowFilter } from './schema/row-filter.ts'
export type * from './schema/rules.ts'
export { BUILTIN_SCALARS, type BuiltinScalar, findScalar, SEMANTIC_SCALARS, scalarOf } from './schema/scalars.ts'
export * from './schema/type-ref.ts'
export {
  Counter,
  type Exemplar,
  Histogram,
  type Metric,
  type MetricDefinition,
  type Sample,
} from './signals/instruments.ts'
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
export { openStore, type StoreChoice } from './stores/open-store.ts'
export { listStores, openRedis, type RedisConnection, type RedisScript, redisScript } from './stores/redis.ts'
export { storeUnavailable } from './stores/store-failure.ts'
export { STORE_TABLE } from './stores/store-table.ts'
export { makeTable, missingVersions } from './tables/make-table.ts'
export { type OwnTable, ownTable } from './tables/own-table.ts'
export { firstBatchSize, nextBatchSize } from './util/batch-size.ts'
export { parseClientJson } from './util/client-json.ts'
export { coversScope } from './util/covers-scope.ts'
export { escapePercents } from './util/escape-percents.ts'
export { ExactNumber, numberOf, parseJson, writeJson } from './util/exact-number.ts'
export { type LentText, WrappedText } from './util/lent-text.ts'
export { claimPathFault, lookup } from './util/lookup.ts'
export { toSnakeCase, toWireName } from './util/naming.ts'
export { didYouMean, listNames, nearest } from './util/nearest.ts'
export { isPromise } from './util/promise.ts'
export { isSettingName } from './util/setting-name.ts'
export { settlesWithin } from './util/settles-within.ts'
export { shorten } from './util/shorten.ts'
export { readQuoted, splitList } from './util/split-list.ts'
export { streamBody } from './util/stream-body.ts'
export { valueKey } from './util/value-key.ts'
