import { joinClass, joinModule, type Piece, splitClass, splitModule } from './source-pieces.ts'

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
 * Merges newly generated source into a module that a person may have edited. Each declaration or class member that is
 * still as generated is updated; declarations that a person added, changed or removed stay as they are.
 * @param base source as svc last generated it
 * @param ours current text of the file
 * @param theirs source as svc generates it now
 */
export function mergeSource(base: string, ours: string, theirs: string): MergedSource {
  if (ours === base || ours === theirs) return { text: theirs, conflicts: [] }
  if (base === theirs) return { text: ours, conflicts: [] }
  const conflicts: MergeConflict[] = []
  const versions = { base: splitModule(base), ours: splitModule(ours), theirs: splitModule(theirs) }
  const merged = mergePieces(versions, '', conflicts)
  const pieces = merged.map((piece) => {
    const generated = versions.theirs.find(({ key }) => key === piece.key)
    if (!piece.key.startsWith('import ') || generated === undefined) return piece
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
function mergePieces({ base, ours, theirs }: Versions, prefix: string, conflicts: MergeConflict[]): readonly Piece[] {
  const [old, own, fresh] = [byKey(base), byKey(ours), byKey(theirs)]
  const result = ours.flatMap((piece) => {
    const before = old.get(piece.key)
    const now = fresh.get(piece.key)
    if (before === undefined || before.text === now?.text || piece.text === now?.text) return [piece]
    if (piece.text === before.text) return now === undefined ? [] : [now]
    if (isImport(piece)) return [piece]
    const inner = now === undefined ? null : mergeClasses(before, piece, now, conflicts)
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

function mergeClasses(base: Piece, ours: Piece, theirs: Piece, conflicts: MergeConflict[]): Piece | null {
  const [before, own, now] = [splitClass(base.text), splitClass(ours.text), splitClass(theirs.text)]
  if (before === null || own === null || now === null) return null
  let { head } = own
  if (before.head !== now.head && own.head !== now.head) {
    if (own.head === before.head) head = now.head
    else conflicts.push({ name: ours.key, wanted: now.head })
  }
  const versions = { base: before.members, ours: own.members, theirs: now.members }
  return { key: ours.key, text: joinClass({ head, members: mergePieces(versions, `${ours.key}.`, conflicts) }) }
}

function isImport({ key }: Piece): boolean {
  return key.startsWith('import ')
}

function byKey(pieces: readonly Piece[]): ReadonlyMap<string, Piece> {
  return new Map(pieces.map((piece) => [piece.key, piece]))
}

/** Longest line of an import. */
const WIDTH = 120

/**
 * Merges the names of an import. Names that the rest of the module does not use, and that the proposal does not need
 * either, stay: they are a person's.
 * @param ours text of the file
 * @param theirs text of the proposal
 * @param rest the other declarations of the merged module
 */
function mergeImport(ours: string, theirs: string, rest: string): string {
  const own = namesOf(ours)
  const wanted = namesOf(theirs)
  if (own === null || wanted === null) return ours
  const used = wanted.filter((name) => new RegExp(`\\b${localName(name)}\\b`).test(rest))
  const missing = used.filter((name) => !own.includes(name))
  if (missing.length === 0) return ours
  const names = [...own, ...missing].toSorted((a, b) => a.toLowerCase().localeCompare(b.toLowerCase(), 'en'))
  const [, start = '', end = ''] = /^([^{]*\{)[^}]*(\}.*)$/s.exec(ours) ?? []
  const line = `${start} ${names.join(', ')} ${end}`
  return line.length <= WIDTH ? line : `${start}\n${wrap(names)}\n${end}`
}

function namesOf(text: string): readonly string[] | null {
  const list = /^import [^{]*\{([^}]*)\}/s.exec(text)?.[1]
  if (list === undefined) return null
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** `list as listOf` is `listOf` in the module. */
function localName(name: string): string {
  return name
    .split(/\s+as\s+/)
    .at(-1)!
    .replace(/^type\s+/, '')
}

function wrap(names: readonly string[]): string {
  const lines: string[] = []
  for (const name of names) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + name.length + 2 <= WIDTH) lines[lines.length - 1] = `${last} ${name},`
    else lines.push(`  ${name},`)
  }
  return lines.join('\n')
}
