import { toWireName } from '../../base/util/naming.ts'
import type { AuthoredField } from '../../schema/authored.ts'
import type { FieldModel, SchemaModel } from '../../schema/model.ts'
import { isInGeoJson, isPlace, isPlaceColumn, type Place, WGS84 } from '../../schema/place.ts'
import { scalarOf } from '../../schema/scalars.ts'
import type { CompileContext } from '../ground/context.ts'

/**
 * Checks that geometry fields are read from suitable columns, and that no mutation returns a single geometry. It runs
 * on the schema with resolved names (`SchemaModel`), which contains where each field is read from.
 */
export function checkPlaces(context: CompileContext, model: SchemaModel): void {
  const { schema, report, catalog } = context
  if (catalog === null) return
  for (const owner of [...(schema.types ?? []), ...(schema.interfaces ?? [])]) {
    const linked = model.types.get(owner.name)
    if (linked?.kind !== 'object' && linked?.kind !== 'interface') continue
    for (const field of owner.fields) {
      const own = linked.fields.get(toWireName(field.name))
      if (own?.named.kind !== 'scalar' || !isPlace(scalarOf(own.named))) continue
      for (const problem of problemsOf(field, own))
        report.fault('place', `${owner.name}.${field.name}: ${problem}`, field, owner)
    }
  }
  checkResults(context, model)
}

/** Reports mutations that return a single geometry: the database formats it without its spatial reference system. */
function checkResults({ schema, report, functions }: CompileContext, model: SchemaModel): void {
  for (const mutation of schema.mutations ?? []) {
    const named = model.mutations.get(toWireName(mutation.name))?.named
    if (named?.kind !== 'scalar' || !isPlace(scalarOf(named))) continue
    const type = functions.get(mutation.sql_source ?? '')?.returns?.type ?? ''
    if (!isPlaceColumn(type)) continue
    const way = named.base === 'JSON' ? 'ST_AsGeoJSON(…)::jsonb' : "ST_Y(…) || ',' || ST_X(…)"
    report.fault(
      'place',
      `${mutation.name}: its function gives a ${type}, which is bytes to everybody else. Have it return ${way}, or a row of a source.`,
      mutation,
    )
  }
}

function problemsOf(field: AuthoredField, own: FieldModel): readonly string[] {
  const { read, place } = own
  if (read?.from !== 'column' || read.column_type === null) return []
  const type = read.column_type
  if (place !== null) return [...columnProblems(own, place), ...optionProblems(field)]
  if (isPlaceColumn(type.replace(/^_/, ''))) {
    return type.startsWith('_')
      ? [
          'lists of places are not read. Make it one MultiPoint or GeometryCollection, or give each place a row of a type of its own.',
        ]
      : [
          `its column is a ${type}, and the database has no extension postgis. Create it (CREATE EXTENSION postgis), or cast the column in the view.`,
        ]
  }
  const isJson = own.named.kind === 'scalar' && own.named.base === 'JSON'
  if (isJson && type !== 'json' && type !== 'jsonb')
    return [
      `GeoJSON is read from a column of PostGIS or of JSON, and its column is ${type}. Cast the column in the view.`,
    ]
  return []
}

function columnProblems({ named, read }: FieldModel, { type, shape, srid }: Place): readonly string[] {
  const column = read?.from === 'column' ? read.column : ''
  const cast = (to: string): string => `cast it in the view: ${column}::${type}(${to})`
  if (srid !== WGS84 && (type === 'geography' || srid === 0)) {
    const has = srid === 0 ? 'does not say its reference system (SRID)' : `has the reference system ${srid}`
    const fix = type === 'geography' ? 'Make it one of 4326' : `ALTER its type to geometry(${shape}, 4326) in the table`
    return [`its column, a ${type}, ${has}. ${fix}, or ${cast(type === 'geography' ? shape : `${shape}, 4326`)}.`]
  }
  if (named.kind === 'scalar' && named.base === 'String' && shape !== 'Point') {
    const what = shape === 'Geometry' ? 'may be any' : `is a ${shape}`
    const point = srid === WGS84 && type === 'geography' ? 'Point' : `Point, ${srid}`
    return [`${named.name} is one point, and its column, a ${type}, ${what}. Declare GeoJSON, or ${cast(point)}.`]
  }
  if (!isInGeoJson(shape)) return [`GeoJSON has no ${shape}. Make it lines in the view: ST_CurveToLine(${column}).`]
  return []
}

function optionProblems({ searchable, orderable, filter_type: filterType }: AuthoredField): readonly string[] {
  const problems: string[] = []
  if (searchable === true) problems.push('search reads text, and a column of PostGIS is none. Drop searchable.')
  if (orderable === true) problems.push('places have no order. Drop orderable.')
  if (filterType !== undefined)
    problems.push('a column of PostGIS has filters of its own. Drop filter_type, or leave some with filter_operators.')
  return problems
}
