import { readItems } from '../../core/doors/front.ts'
import type { SvcError } from '../../core/doors/plugin.ts'
import type { EntityGroup } from './group-representations.ts'

/** What became of groups of representations. */
export interface ReadGroups {
  /** JSON text of the list of rows, by name of the group. */
  readonly rows: ReadonlyMap<string, string>
  readonly errors: readonly SvcError[]
  /** Of which no row is shown. */
  readonly refused: readonly RefusedGroup[]
}

export interface RefusedGroup {
  readonly group: EntityGroup
  readonly error: SvcError
}

/** Statements that one operation may still send to find out which of its representations fail. */
export interface Searches {
  left: number
}

/** Errors that no other representation of the type would be spared. */
const OF_ALL: ReadonlySet<string> = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'VALIDATION_ERROR', 'TIMEOUT'])

/**
 * SQL that is computed of what representations bring may fail for one of them, and fails the statement: halves are read until it
 * stands alone, so that the others are answered. When there are no more searches, what is left fails together.
 */
export async function readFailedApart(
  read: (groups: readonly EntityGroup[]) => Promise<ReadGroups>,
  result: ReadGroups,
  searches: Searches,
): Promise<ReadGroups> {
  if (!result.refused.some(isDivisible)) return result
  const rows = new Map(result.rows)
  const errors = [...result.errors]
  const refused = result.refused.filter((one) => !isDivisible(one))
  for (const failed of result.refused.filter(isDivisible)) {
    const texts = await readHalves(failed)
    rows.set(failed.group.name, `[${texts.join()}]`)
  }
  return { rows, errors, refused }

  async function readHalves({ group, error }: RefusedGroup): Promise<readonly string[]> {
    const middle = group.keys.length >> 1
    const texts: string[] = []
    for (const half of [partOf(group, 0, middle), partOf(group, middle)]) texts.push(...(await readHalf(half, error)))
    return texts
  }

  /** @param error what a search that may not be made would have found */
  async function readHalf(half: EntityGroup, error: SvcError): Promise<readonly string[]> {
    if (searches.left === 0) return fail({ group: half, error })
    searches.left--
    const found = await read([half])
    errors.push(...found.errors)
    const list = found.rows.get(half.name)
    if (list !== undefined) return readItems(list)
    const again = found.refused[0] ?? { group: half, error }
    return isDivisible(again) ? readHalves(again) : fail(again)
  }

  function fail(one: RefusedGroup): readonly string[] {
    refused.push(one)
    return one.group.keys.map(() => 'null')
  }
}

function isDivisible({ group, error }: RefusedGroup): boolean {
  return group.given.length > 0 && group.keys.length > 1 && error.status < 503 && !OF_ALL.has(error.code)
}

function partOf(group: EntityGroup, from: number, to?: number): EntityGroup {
  const [keys, given, places] = [group.keys.slice(from, to), group.given.slice(from, to), group.places.slice(from, to)]
  return { ...group, keys, given, places }
}
