/** `'svc/front'`: for plugins that add a way in (a protocol, an endpoint, a stream) on the compiled schema. */

export { CODES } from '../base/errors/codes.ts'
export { InputErrors } from '../base/errors/input-errors.ts'
export { parseClientJson } from '../base/util/client-json.ts'
export { ExactNumber, numberOf } from '../base/util/exact-number.ts'
export { LentText } from '../base/util/lent-text.ts'
export { claimPathFault } from '../base/util/lookup.ts'
export { toSnakeCase, toWireName } from '../base/util/naming.ts'
export { nearest } from '../base/util/nearest.ts'
export { settlesWithin } from '../base/util/settles-within.ts'
export { shorten } from '../base/util/shorten.ts'
export { readQuoted, splitList } from '../base/util/split-list.ts'
export { streamBody } from '../base/util/stream-body.ts'
export { valueKey } from '../base/util/value-key.ts'
export type { AggregateField, AggregateOf, AggregateRoot } from '../contract/aggregate-of.ts'
export type { OwnedCredential } from '../contract/credential.ts'
export type { Explanation } from '../contract/explanation.ts'
export type { GenerationSlot } from '../contract/generation.ts'
export type { CallResult, Precondition, RowsRoot, VariableDeclaration, WriteOptions } from '../contract/operation.ts'
export type { ColumnStream, ResultColumn } from '../contract/result-stream.ts'
export type { EdgeMember, WrapperField, WrapperSelection } from '../contract/selection.ts'
export type { UpgradeHandler } from '../contract/upgrade.ts'
export type { ArgumentNode, Location, ValueNode } from '../contract/value-node.ts'
export type { WriteOnce } from '../contract/write-once.ts'
export { refuseMasked } from '../engine/access/refuse-masked.ts'
export {
  type ChangeEvent,
  type ChangeKind,
  eventOfWrite,
  toChangeKind,
  UNORDERED,
} from '../engine/changes/change-event.ts'
export { type Condition, compileCondition, type MoreNames } from '../engine/changes/condition.ts'
export { type EntityShape, shapeOfAuthored, shapeOfModel } from '../engine/changes/entity-shape.ts'
export type { InProcessBus } from '../engine/changes/in-process-bus.ts'
export { loadInProcessBus } from '../engine/changes/load-in-process-bus.ts'
export { type ObservedChange, type ObservedRow, observe } from '../engine/changes/observed-change.ts'
export { type ResultRoot, rootsOf } from '../engine/execute/result-roots.ts'
export {
  type ArgumentShapes,
  argumentsOfField,
  argumentsOfOperation,
  GROUP_PAGE,
  NODE_ARGUMENTS,
} from '../engine/inputs/arguments.ts'
export { type FieldChoice, fieldChoice } from '../engine/inputs/choose-fields.ts'
export { defaultSelection, selectionOf } from '../engine/inputs/default-selection.ts'
export {
  createGeneratedInputs,
  type GeneratedInputs,
  inputMember,
  isRowType,
  ORDER_DIRECTION,
  type RowType,
  typeRef,
} from '../engine/inputs/generated-inputs.ts'
export { createOperationMaker, type OperationMaker } from '../engine/inputs/operation-from-values.ts'
export { schemaOfAnswer } from '../engine/inputs/schema-of-answer.ts'
export { schemaOfArguments } from '../engine/inputs/schema-of-arguments.ts'
export { textValue } from '../engine/inputs/text-value.ts'
export { readItems, readMembers, writeMembers } from '../engine/json/json-text.ts'
export { SEARCH_ARGUMENT, searchableFields } from '../engine/plan/conditions/search.ts'
export { GROUP_OPERATORS } from '../engine/plan/rows/having.ts'
export { isOrderable } from '../engine/plan/rows/order.ts'
export { argumentsOf, valueProblem } from '../engine/plan/values/arguments-of.ts'
export { fitsField } from '../engine/plan/values/fits-field.ts'
export { keyArguments, namesKey } from '../engine/plan/write/key-argument.ts'
export { isAbsent, pathsOf } from '../expression/absence.ts'
export { type Decimal, decimalText } from '../expression/decimal.ts'
export { parseExpression } from '../expression/parse-expression.ts'
export type { ExpressionNode } from '../expression/syntax.ts'
export { instantOf } from '../expression/value.ts'
export { AGGREGATE_SUFFIXES } from '../schema/aggregate-names.ts'
export { type Aggregates, aggregatesOf, type FieldFunction } from '../schema/aggregates-of.ts'
export { type Coercer, coerceInput, compileCoercer, toInputError } from '../schema/coerce.ts'
export { groupedBy } from '../schema/group-keys.ts'
export {
  type EnumShape,
  type InputShape,
  lazily,
  type ObjectShape,
  type ScalarShape,
  type ShapeField,
  shapeOf,
} from '../schema/input-shape.ts'
export { isAcross } from '../schema/link/link-fields.ts'
export type { ArgumentModel, SubscriptionModel } from '../schema/operation-model.ts'
export { operandInput } from '../schema/operators/operand-input.ts'
export { OPERAND_INPUTS } from '../schema/operators/operand-inputs.ts'
export type { Operator } from '../schema/operators/operator.ts'
export { anyOperatorOf, filterTypeName, operatorsFor } from '../schema/operators/operators.ts'
export { queriesGiving } from '../schema/queries-giving.ts'
export { rowFilterProblem, splitRowFilter } from '../schema/row-filter.ts'
export type { Rule } from '../schema/rules.ts'
export { type BuiltinScalar, findScalar } from '../schema/scalars.ts'
export type { InputFieldModel, InputType, InterfaceType, NamedType, UnionType } from '../schema/type-model.ts'
export { isListRef, namedTypeOf, parseTypeRef, printTypeRef, type TypeRef } from '../schema/type-ref.ts'
export { acceptable } from '../service/http/acceptable.ts'
export { announceDeprecated } from '../service/http/announce-deprecated.ts'
export { createEntityTagger, type EntityTagger, matchesTag } from '../service/http/entity-tag.ts'
export { type PackageAssets, packageAssetReader } from '../service/http/package-assets.ts'
export { type QueryPair, readPairs } from '../service/http/query-pairs.ts'
export { errorHeaders } from '../service/http/render-error.ts'
export { isHost } from '../service/http/request-target.ts'
export { createRouter } from '../service/http/router.ts'
export { type DefaultPolicy, isOpenOperation } from '../service/lifecycle/default-policy.ts'
export { deniedBehind, type IsDenied } from '../service/lifecycle/denied-behind.ts'
export { enterAs, readIdentity } from '../service/lifecycle/enter-as.ts'
export { mayCall } from '../service/lifecycle/may-call.ts'
export { stateOf } from '../service/tables/make-table.ts'
