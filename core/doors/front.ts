/** `'svc/front'`: for plugins that add a way in (a protocol, an endpoint, a stream) on the compiled schema. */

export { refuseMasked } from '../access/refuse-masked.ts'
export { type ChangeEvent, type ChangeKind, eventOfWrite, toChangeKind, UNORDERED } from '../changes/change-event.ts'
export { type Condition, compileCondition, type MoreNames } from '../changes/condition.ts'
export { type EntityShape, shapeOfAuthored, shapeOfModel } from '../changes/entity-shape.ts'
export type { InProcessBus } from '../changes/in-process-bus.ts'
export { loadInProcessBus } from '../changes/load-in-process-bus.ts'
export { type ObservedChange, type ObservedRow, observe } from '../changes/observed-change.ts'
export type { AggregateField, AggregateOf, AggregateRoot } from '../contract/aggregate-of.ts'
export type { OwnedCredential } from '../contract/credential.ts'
export type { Explanation } from '../contract/explanation.ts'
export type { CallResult, Precondition, RowsRoot, VariableDeclaration, WriteOptions } from '../contract/operation.ts'
export type { ColumnStream, ResultColumn } from '../contract/result-stream.ts'
export type { EdgeMember, WrapperField, WrapperSelection } from '../contract/selection.ts'
export type { UpgradeHandler } from '../contract/upgrade.ts'
export type { ArgumentNode, Location, ValueNode } from '../contract/value-node.ts'
export type { WriteOnce } from '../contract/write-once.ts'
export { CODES } from '../errors/codes.ts'
export { InputErrors } from '../errors/input-errors.ts'
export { type ResultRoot, rootsOf } from '../execute/result-roots.ts'
export { isAbsent, pathsOf } from '../expression/absence.ts'
export { type Decimal, decimalText } from '../expression/decimal.ts'
export { parseExpression } from '../expression/parse-expression.ts'
export type { ExpressionNode } from '../expression/syntax.ts'
export { instantOf } from '../expression/value.ts'
export { acceptable } from '../http/acceptable.ts'
export { announceDeprecated } from '../http/announce-deprecated.ts'
export { createEntityTagger, type EntityTagger, matchesTag } from '../http/entity-tag.ts'
export { type PackageAssets, packageAssetReader } from '../http/package-assets.ts'
export { type QueryPair, readPairs } from '../http/query-pairs.ts'
export { errorHeaders } from '../http/render-error.ts'
export { isHost } from '../http/request-target.ts'
export { createRouter } from '../http/router.ts'
export {
  type ArgumentShapes,
  argumentsOfField,
  argumentsOfOperation,
  GROUP_PAGE,
  NODE_ARGUMENTS,
} from '../inputs/arguments.ts'
export { type FieldChoice, fieldChoice } from '../inputs/choose-fields.ts'
export { defaultSelection, selectionOf } from '../inputs/default-selection.ts'
export {
  createGeneratedInputs,
  type GeneratedInputs,
  inputMember,
  isRowType,
  ORDER_DIRECTION,
  type RowType,
  typeRef,
} from '../inputs/generated-inputs.ts'
export { createOperationMaker, type OperationMaker } from '../inputs/operation-from-values.ts'
export { schemaOfAnswer } from '../inputs/schema-of-answer.ts'
export { schemaOfArguments } from '../inputs/schema-of-arguments.ts'
export { textValue } from '../inputs/text-value.ts'
export { readItems, readMembers, writeMembers } from '../json/json-text.ts'
export { type DefaultPolicy, isOpenOperation } from '../lifecycle/default-policy.ts'
export { deniedBehind, type IsDenied } from '../lifecycle/denied-behind.ts'
export { enterAs, readIdentity } from '../lifecycle/enter-as.ts'
export { mayCall } from '../lifecycle/may-call.ts'
export { argumentsOf, valueProblem } from '../plan/arguments-of.ts'
export { fitsField } from '../plan/conditions/fits-field.ts'
export { operandInput } from '../plan/conditions/operand-input.ts'
export type { Operator } from '../plan/conditions/operator.ts'
export { anyOperatorOf, filterTypeName, operatorsFor } from '../plan/conditions/operators.ts'
export { SEARCH_ARGUMENT, searchableFields } from '../plan/conditions/search.ts'
export { OPERAND_INPUTS } from '../plan/conditions/special/operand-inputs.ts'
export { GROUP_OPERATORS } from '../plan/rows/having.ts'
export { isOrderable } from '../plan/rows/order.ts'
export { keyArguments, namesKey } from '../plan/write/key-argument.ts'
export { AGGREGATE_SUFFIXES } from '../schema/aggregate-names.ts'
export { type Aggregates, aggregatesOf, type FieldFunction } from '../schema/aggregates-of.ts'
export { type Coercer, coerceInput, compileCoercer, toInputError } from '../schema/coerce.ts'
export { keyTextsOf, leavesOf, parseFieldSet, printFieldSet, type SelectedField } from '../schema/field-set.ts'
export type { GenerationSlot } from '../schema/generation.ts'
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
export { isAcross } from '../schema/link-fields.ts'
export type { ArgumentModel, SubscriptionModel } from '../schema/operation-model.ts'
export { queriesGiving } from '../schema/queries-giving.ts'
export { rowFilterProblem, splitRowFilter } from '../schema/row-filter.ts'
export type { Rule } from '../schema/rules.ts'
export { type BuiltinScalar, findScalar } from '../schema/scalars.ts'
export type { InputFieldModel, InputType, InterfaceType, NamedType, UnionType } from '../schema/type-model.ts'
export { isListRef, namedTypeOf, parseTypeRef, printTypeRef, type TypeRef } from '../schema/type-ref.ts'
export { stateOf } from '../tables/make-table.ts'
export { parseClientJson } from '../util/client-json.ts'
export { ExactNumber, numberOf } from '../util/exact-number.ts'
export { LentText } from '../util/lent-text.ts'
export { claimPathFault } from '../util/lookup.ts'
export { toSnakeCase, toWireName } from '../util/naming.ts'
export { nearest } from '../util/nearest.ts'
export { settlesWithin } from '../util/settles-within.ts'
export { shorten } from '../util/shorten.ts'
export { readQuoted, splitList } from '../util/split-list.ts'
export { streamBody } from '../util/stream-body.ts'
export { valueKey } from '../util/value-key.ts'
