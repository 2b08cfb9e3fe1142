import {
  identifier,
  join,
  type ObjectSelection,
  type PlannedCall,
  type PreparedWrite,
  parameter,
  passedBy,
  render,
  type SqlFragment,
  SvcError,
  sql,
  type WritePlan,
} from '../../../core/index.ts'
import { comparedForm } from './forms.ts'
import { kindOfType } from './kind.ts'
import { PRIMITIVES } from './primitives.ts'

/** A script cannot stand in FROM: what it gives is taken as it is, an id, or not at all. */
export const WRITES: ReadonlySet<WritePlan['kind']> = new Set(['ids', 'void'])

/** A mutation: the call of its script. @throws SvcError for a result that is refused where the schema is compiled */
export function writeCall({ root, call, kind, list, cascadeKeys }: WritePlan): PreparedWrite {
  if (!WRITES.has(kind)) {
    throw new SvcError(
      'INTERNAL_SERVER_ERROR',
      `${root.operation.wireName}: a script of SQLite gives the id of an object, or nothing. Compile the schema again.`,
    )
  }
  const selection = root.selection as ObjectSelection
  const columns = new Map(kind === 'ids' ? [['data', 0] as const] : [])
  return {
    root,
    kind,
    list,
    targets: kind === 'ids' ? [{ at: null, possible: new Map([[selection.type.name, selection]]) }] : [],
    rowsMatter: true,
    readsAgain: kind === 'ids',
    errorMembers: [],
    cascadeKeys,
    bind(input) {
      const { text, slots } = render(callText(call, call.shapeOf(input)), PRIMITIVES.placeholder)
      return { statement: { name: null, text }, parameters: slots.map((slot) => slot.read(input)), columns }
    },
  }
}

/** `CALL "fn_buy"("item" => CAST(?1 AS INTEGER))` */
function callText(call: PlannedCall, shape: string): SqlFragment {
  const passed = passedBy(call, shape).map(({ name, type, slot }) => {
    const value = argument(type, parameter(slot))
    return call.named && name !== null ? sql`${identifier(name)} => ${value}` : value
  })
  return sql`CALL ${identifier(call.function.name)}(${join(passed, ', ')})`
}

/** As the value is stored: decimals and times stand in the file as their texts. */
function argument(type: string | null, value: SqlFragment): SqlFragment {
  const kind = kindOfType(type)
  return kind === 'integer' || kind === 'real' || kind === 'boolean' ? comparedForm(kind, value) : value
}
