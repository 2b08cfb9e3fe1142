/** Reads declaration files (`.d.ts`): the exported names of a module, and their declarations. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'

/** One statement that declares a name; overloads and merged interfaces have several. */
export interface Declaration {
  readonly kind: 'function' | 'class' | 'constant' | 'interface' | 'type' | 'namespace'
  /** TypeScript without its comment and without `export declare`; of a namespace empty. */
  readonly code: string
  /** TSDoc of the declaration as plain Markdown; empty: it has none. */
  readonly doc: string
  /** Absolute path of its file. */
  readonly path: string
  /** Its name in the file. */
  readonly local: string
  /** Exported names of a namespace (`export * as`). */
  readonly members?: ReadonlyMap<string, readonly Declaration[]>
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}
interface Module {
  readonly text: string
  readonly body: readonly Node[]
  readonly comments: readonly { readonly type: string; readonly start: number; readonly end: number }[]
}

const KINDS: Readonly<Record<string, Declaration['kind']>> = {
  TSDeclareFunction: 'function',
  FunctionDeclaration: 'function',
  ClassDeclaration: 'class',
  VariableDeclaration: 'constant',
  TSInterfaceDeclaration: 'interface',
  TSTypeAliasDeclaration: 'type',
}

const modules = new Map<string, Module>()

function moduleOf(path: string): Module {
  let module = modules.get(path)
  if (module === undefined) {
    const text = readFileSync(path, 'utf8')
    const { program, comments } = parseSync(path, text)
    module = { text, body: program.body as unknown as Node[], comments }
    modules.set(path, module)
  }
  return module
}

/** @returns path of the declaration file that an import of `from` means, or `null` for a package */
function target(from: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null
  return join(dirname(from), specifier.replace(/\.[jt]s$/, '.d.ts'))
}

const nameOf = (node: unknown): string =>
  (node as { readonly name?: string; readonly value?: string }).name ??
  String((node as { readonly value?: string }).value)

/**
 * All names that a module exports, through every re-export.
 *
 * @param path an absolute path of a `.d.ts` file
 * @returns by exported name, in the order of the module
 */
export function exportsOf(path: string): Map<string, readonly Declaration[]> {
  const found = new Map<string, readonly Declaration[]>()
  for (const node of moduleOf(path).body) {
    if (node.type === 'ExportAllDeclaration') {
      const source = target(path, (node.source as { readonly value: string }).value)
      const { exported } = node
      if (source !== null && exported !== null && exported !== undefined)
        found.set(nameOf(exported), [
          { kind: 'namespace', code: '', doc: docOfModule(source), path, local: '*', members: exportsOf(source) },
        ])
      else if (source !== null)
        for (const [name, declarations] of exportsOf(source)) if (name !== 'default') found.set(name, declarations)
    } else if (node.type === 'ExportDefaultDeclaration') {
      const name = nameOf(node.declaration)
      found.set('default', localsOf(path).get(name) ?? [])
    } else if (node.type === 'ExportNamedDeclaration') {
      if (node.declaration !== null && node.declaration !== undefined) {
        for (const name of declaredNames(node.declaration as Node)) found.set(name, localsOf(path).get(name)!)
        continue
      }
      for (const each of node.specifiers as readonly Node[]) {
        const local = nameOf(each.local)
        const name = nameOf(each.exported)
        const declarations = declarationsOf(path, local, node.source as { readonly value: string } | null)
        found.set(name, name === local ? declarations : declarations.map((each) => renamed(each, local, name)))
      }
    }
  }
  return found
}

/**
 * Declarations of a name in a file, which may import it.
 *
 * @param source module to look in instead; `null`: none
 */
export function declarationsOf(
  path: string,
  local: string,
  source: { readonly value: string } | null = null,
): readonly Declaration[] {
  if (source !== null) {
    const file = target(path, source.value)
    return file === null ? [] : (exportsOf(file).get(local) ?? [])
  }
  const own = localsOf(path).get(local)
  if (own !== undefined) return own
  for (const node of moduleOf(path).body) {
    if (node.type !== 'ImportDeclaration') continue
    for (const each of node.specifiers as readonly Node[]) {
      if (nameOf(each.local) !== local || each.type !== 'ImportSpecifier') continue
      return declarationsOf(path, nameOf(each.imported), node.source as { readonly value: string })
    }
  }
  return []
}

/** A declaration as it reads under the name of its export. */
function renamed(declaration: Declaration, local: string, name: string): Declaration {
  return { ...declaration, code: declaration.code.replace(new RegExp(`\\b${local}\\b`), name) }
}

/** The comment at the beginning of a module. */
function docOfModule(path: string): string {
  const { text } = moduleOf(path)
  return text.startsWith('/**') ? plainDoc(text.slice(0, text.indexOf('*/') + 2)) : ''
}

function declaredNames(node: Node): string[] {
  if (node.type !== 'VariableDeclaration') return node.id === undefined || node.id === null ? [] : [nameOf(node.id)]
  return (node.declarations as readonly Node[]).map(({ id }) => nameOf(id))
}

const locals = new Map<string, Map<string, Declaration[]>>()

function localsOf(path: string): Map<string, Declaration[]> {
  let found = locals.get(path)
  if (found !== undefined) return found
  found = new Map()
  locals.set(path, found)
  const { text, body, comments } = moduleOf(path)
  let before = 0
  for (const node of body) {
    const inner = (node.declaration as Node | null | undefined) ?? node
    const kind = KINDS[inner.type]
    if (kind !== undefined) {
      const comment = comments.findLast(
        ({ type, start, end }) => type === 'Block' && start >= before && end <= node.start,
      )
      const doc = comment === undefined ? '' : text.slice(comment.start, comment.end)
      const code = text.slice(inner.start, inner.end).replace(/^declare /, '')
      for (const name of declaredNames(inner)) {
        const declaration = { kind, code, doc: doc.startsWith('/**') ? plainDoc(doc) : '', path, local: name }
        found.set(name, [...(found.get(name) ?? []), declaration])
      }
    }
    before = node.end
  }
  return found
}

/** The text of a TSDoc comment without its stars. */
function plainDoc(comment: string): string {
  return comment
    .slice(3, -2)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .trim()
}
