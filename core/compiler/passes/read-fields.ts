import { toSnakeCase, toWireName } from '../../base/util/naming.ts'
import { didYouMean, listNames } from '../../base/util/nearest.ts'
import type { AuthoredField } from '../../schema/authored.ts'
import type { CompiledField, CompiledRead, CompiledSource } from '../../schema/compiled.ts'
import { isPlace } from '../../schema/place.ts'
import { METRICS } from '../../schema/semantic/vector.ts'
import { namedTypeOf, parseTypeRef } from '../../schema/type-ref.ts'
import { columnMismatch, isTimeInText } from '../ground/column-type.ts'
import type { CompileContext } from '../ground/context.ts'
import { isComposite, type NamedElement } from '../ground/type-index.ts'
import { checkColumnValues } from './column-values.ts'
import { alike, columnOf, isJsonType, relationOf, shownName } from './describe-source.ts'
import type { FieldOwner } from './field-owner.ts'
import { readRelation } from './read-relation.ts'

/**
 * Converts the fields of an object type or interface to their form in the compiled schema: their names in the API, and
 * where their values are read from.
 */
export function compileFields(context: CompileContext, owner: FieldOwner): readonly CompiledField[] {
  return owner.named.element.fields.map((field) => {
    const { $place: _place, relation: _relation, column: _column, ...kept } = field
    const read = readField(context, owner, field)
    return {
      ...kept,
      ...vectorConfig(context, owner, field, read),
      ...placeOf(context, owner, field, read),
      wire_name: toWireName(field.name),
      read,
    }
  })
}

/**
 * Returns the declared dimensions of a vector, or those of its column, and the filter operators of its declared
 * distance metric.
 */
function vectorConfig(
  { index }: CompileContext,
  { source }: FieldOwner,
  field: AuthoredField,
  read: CompiledRead | null,
): Pick<CompiledField, 'vector_config' | 'filter_operators'> {
  const ref = parseTypeRef(field.type)
  const named = ref === null ? undefined : index.get(namedTypeOf(ref).name)
  if (named?.kind !== 'scalar' || named.base.group !== 'vector') return {}
  const column = read?.from === 'column' && source !== null ? columnOf(source, read.column) : null
  const { distance_metric: metric, dimensions = column?.dimensions } = field.vector_config ?? {}
  const operator = metric === undefined ? undefined : METRICS[metric]
  return {
    ...(dimensions === undefined ? {} : { vector_config: { ...field.vector_config, dimensions } }),
    ...(operator === undefined ? {} : { filter_operators: [operator, '_is_null', '_is_not_null'] }),
  }
}

/** Returns the key `place` of a field that reads a PostGIS column. */
function placeOf(
  { index }: CompileContext,
  { source }: FieldOwner,
  field: AuthoredField,
  read: CompiledRead | null,
): Pick<CompiledField, 'place'> {
  const ref = parseTypeRef(field.type)
  const named = ref === null ? undefined : index.get(namedTypeOf(ref).name)
  if (named?.kind !== 'scalar' || !isPlace(named.base) || read?.from !== 'column' || source === null) return {}
  const place = columnOf(source, read.column)?.place
  return place === undefined ? {} : { place }
}

function readField(context: CompileContext, owner: FieldOwner, field: AuthoredField): CompiledRead | null {
  const ref = parseTypeRef(field.type)
  const target = ref === null ? undefined : context.index.get(namedTypeOf(ref).name)
  if (field.computed === true || ref === null || target === undefined) return null
  // Computed when representations are resolved, from their values.
  if (field.sql !== undefined || isElsewhere(context, field)) return null
  // The check of field options has reported this fault.
  if (field.relation !== undefined && !isComposite(target)) return null
  const { source, document } = owner
  const key = toSnakeCase(field.name)
  if (source === null) {
    if (field.relation === undefined) return { from: 'document', document: '', key: field.column ?? key }
    context.report.fault(
      'no-source',
      `${label(owner, field)}: a relation starts at a column, and ${owner.named.name} has no source. Set sql_source on the type, or drop the relation.`,
      field,
      owner.named.element,
    )
    return null
  }
  if (field.relation !== undefined) return readRelation(context, owner, field, ref, target)
  const native = nativeColumn(source, field)
  if (isComposite(target)) {
    if (native !== null && isJsonType(native.type.replace(/^_/, ''))) {
      warnOfStub(context, owner, field, target, native.name)
      return readNative(native)
    }
    if (document !== null) return { from: 'document', document, key }
    return readRelation(context, owner, field, ref, target)
  }
  if (native !== null) {
    checkColumnType(context, owner, field, native.type)
    checkColumnValues(context, owner, field, native.name)
    return readNative(native)
  }
  if (context.catalog === null && document === null) {
    return { from: 'column', column: field.column ?? key, column_type: null, not_null: false }
  }
  if (document !== null && field.column === undefined) return { from: 'document', document, key }
  const columns = source.columns.map((column) => column.name)
  const wanted = field.column ?? key
  const spelled = alike(wanted, columns)
  const hint = didYouMean(wanted, columns)
  const mend = spelled === null ? 'Name it with "column"' : `Write column: "${spelled}"`
  context.report.fault(
    'unknown-column',
    `${label(owner, field)}: ${shownName(context, source)} has no column "${wanted}".${hint === '' && spelled === null ? ` It has: ${listNames(columns)}.` : spelled === null ? hint : ''} ` +
      `${mend}, add it to the view, or mark the field computed.`,
    field,
    owner.named.element,
  )
  return null
}

/** Is the value of the field not in a source of this service? */
function isElsewhere({ schema, facts }: CompileContext, field: AuthoredField): boolean {
  return field.column === undefined && field.relation === undefined && facts.fieldsElsewhere(schema).has(field)
}

/**
 * Warns of a field that reads an entity from a JSON column of its name. The column often holds only the key, so that
 * all other fields of the type would be null, although the type has rows of its own.
 */
function warnOfStub(
  context: CompileContext,
  owner: FieldOwner,
  field: AuthoredField,
  target: NamedElement,
  column: string,
): void {
  if (target.kind !== 'object' || field.column !== undefined || !context.facts.isEntity(target.element)) return
  const rows = context.typeSources.get(target.name)?.source
  if (rows == null || owner.source === null) return
  context.report.warn(
    'stub-column',
    `${label(owner, field)} is read from the JSON column ${column} of ${shownName(context, owner.source)}: fields of ${target.name} that the JSON lacks are null, although ${rows} has them. ` +
      `Declare the relation ({ from, to }), or write column: "${column}" where the JSON is meant.`,
    field,
    owner.named.element,
  )
}

function readNative(column: {
  readonly name: string
  readonly type: string
  readonly not_null: boolean
}): CompiledRead {
  return { from: 'column', column: column.name, column_type: column.type, not_null: column.not_null }
}

/** Returns the column of a field: `column`, otherwise the declared name, otherwise the name in snake_case. */
function nativeColumn(source: CompiledSource, field: AuthoredField) {
  if (field.column !== undefined) return columnOf(source, field.column)
  return columnOf(source, toSnakeCase(field.name)) ?? columnOf(source, field.name)
}

function checkColumnType(context: CompileContext, owner: FieldOwner, field: AuthoredField, columnType: string): void {
  const ref = parseTypeRef(field.type)
  const fitting = ref === null ? null : columnMismatch(ref, context.index, columnType)
  if (ref === null || fitting === null) return
  const relation = owner.source === null ? undefined : relationOf(context, owner.source)
  if (relation?.textTimes === true && isTimeInText(ref, context.index, columnType)) return
  context.report.fault(
    'column-type',
    `${label(owner, field)} is ${field.type}, and its column in ${owner.source === null ? 'its source' : shownName(context, owner.source)} is ${columnType}. ` +
      `Declare ${fitting}, or cast the column in the view.`,
    field,
    owner.named.element,
  )
}

function label(owner: FieldOwner, field: AuthoredField): string {
  return `${owner.named.name}.${field.name}`
}
