import type { Piece, SourceLanguage } from './source-language.ts'
import { TYPESCRIPT_SOURCE } from './source-pieces.ts'

/**
 * A generated declaration that a person has edited and that svc would generate differently now. svc leaves the edited
 * text as it is.
 */
export interface MergeConflict {
  /** Name of the edited type or field: `Album`, `Album.title`. */
  readonly name: string
  /** Source that svc would generate now; `null`: svc would remove the declaration. */
  readonly wanted: string | null
}

export interface MergedSource {
  readonly text: string
  readonly conflicts: readonly MergeConflict[]
}

/**
 * Merges newly generated source into a module that a person may have edited. A declaration or class member that a
 * person has not changed since it was generated is updated; those that a person added, changed or removed stay as they
 * are.
 * @param base source as svc last generated it
 * @param ours current text of the file
 * @param theirs source as svc generates it now
 */
export function mergeSource(
  base: string,
  ours: string,
  theirs: string,
  language: SourceLanguage = TYPESCRIPT_SOURCE,
): MergedSource {
  if (ours === base || ours === theirs) return { text: theirs, conflicts: [] }
  if (base === theirs) return { text: ours, conflicts: [] }
  const conflicts: MergeConflict[] = []
  const { splitModule, mergeImport, joinModule } = language
  const versions = { base: splitModule(base), ours: splitModule(ours), theirs: splitModule(theirs) }
  const merged = mergePieces(versions, '', conflicts, language)
  const pieces = merged.map((piece) => {
    const generated = versions.theirs.find(({ key }) => key === piece.key)
    if (!isImport(piece) || generated === undefined) return piece
    const rest = merged.filter((one) => one !== piece).map(({ text }) => text)
    return { ...piece, text: mergeImport(piece.text, generated.text, rest.join('\n')) }
  })
  const isSame =
    pieces.length === versions.ours.length && pieces.every((piece, i) => piece.text === versions.ours[i]!.text)
  return { text: isSame ? ours : joinModule(pieces), conflicts }
}

interface Versions {
  readonly base: readonly Piece[]
  readonly ours: readonly Piece[]
  readonly theirs: readonly Piece[]
}

/** @param prefix name of the class, with a dot; empty at the top of a module */
function mergePieces(
  { base, ours, theirs }: Versions,
  prefix: string,
  conflicts: MergeConflict[],
  language: SourceLanguage,
): readonly Piece[] {
  const [old, own, fresh] = [byKey(base), byKey(ours), byKey(theirs)]
  const result = ours.flatMap((piece) => {
    const before = old.get(piece.key)
    const now = fresh.get(piece.key)
    if (before === undefined || before.text === now?.text || piece.text === now?.text) return [piece]
    if (piece.text === before.text) return now === undefined ? [] : [now]
    if (isImport(piece)) return [piece]
    const inner = now === undefined ? null : mergeClasses(before, piece, now, conflicts, language)
    if (inner !== null) return [inner]
    conflicts.push({ name: `${prefix}${piece.key}`, wanted: now?.text ?? null })
    return [piece]
  })
  for (const [index, piece] of theirs.entries()) {
    // A piece that the last proposal had, and that is gone, was removed by a person.
    if (own.has(piece.key) || (old.has(piece.key) && !isImport(piece))) continue
    result.splice(placeOf(theirs, index, result), 0, piece)
  }
  return result
}

/**
 * Returns the index behind the nearest piece before it that both have; without one, the index of the first piece that
 * is not generated last.
 */
function placeOf(theirs: readonly Piece[], index: number, result: readonly Piece[]): number {
  for (let before = index - 1; before >= 0; before--) {
    const at = result.findIndex(({ key }) => key === theirs[before]!.key)
    if (at !== -1) return at + 1
  }
  return 0
}

function mergeClasses(
  base: Piece,
  ours: Piece,
  theirs: Piece,
  conflicts: MergeConflict[],
  language: SourceLanguage,
): Piece | null {
  const { splitClass, joinClass } = language
  const [before, own, now] = [splitClass(base.text), splitClass(ours.text), splitClass(theirs.text)]
  if (before === null || own === null || now === null) return null
  let { head } = own
  if (before.head !== now.head && own.head !== now.head) {
    if (own.head === before.head) head = now.head
    else conflicts.push({ name: ours.key, wanted: now.head })
  }
  const versions = { base: before.members, ours: own.members, theirs: now.members }
  const members = mergePieces(versions, `${ours.key}.`, conflicts, language)
  return { ...ours, text: joinClass({ head, members }) }
}

function isImport({ key }: Piece): boolean {
  return key.startsWith('import ')
}

function byKey(pieces: readonly Piece[]): ReadonlyMap<string, Piece> {
  return new Map(pieces.map((piece) => [piece.key, piece]))
}
