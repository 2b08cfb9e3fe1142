import { type Node, parse, walk } from './source-syntax.ts'

/** A place in a source file that reads the configuration. */
export interface ConfigRead {
  /** `['server', 'cors', 'origins']` */
  readonly path: readonly string[]
  readonly line: number
  /** Is the value cast to another type? */
  readonly isCast: boolean
}

/** A variable that holds the configuration or a section of it. */
interface Holder {
  readonly name: string
  /** Of the section; `null`: a parameter that holds something else under the same name. */
  readonly path: readonly string[] | null
  /** Where the name means this. */
  readonly scope: Node
}

const FUNCTIONS = new Set(['Program', 'FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
/** Sections that are interfaces of their own. */
const SECTION_TYPES: Readonly<Record<string, string>> = {
  ServerSection: 'server',
  SvcSection: 'svc',
  SecuritySection: 'security',
}
const TRANSPARENT = new Set(['ChainExpression', 'TSNonNullExpression', 'ParenthesizedExpression'])

/**
 * What a file reads of the configuration: chains from `config` and `scope.config`, patterns that take them apart, parameters whose
 * type is `Config` or a section of it, and variables that hold a section.
 */
export function configReads(file: string, source: string): readonly ConfigRead[] {
  const program = parse(file, source)
  const holders: Holder[] = []
  const reads: ConfigRead[] = []
  const lineOf = (at: number): number => source.slice(0, at).split('\n').length

  function read(path: readonly string[], node: Node, isCast = false): void {
    reads.push({ path, line: lineOf(node.start), isCast })
  }

  /** Takes a pattern apart; what it names holds that part. */
  function bind(target: Node, path: readonly string[], scope: Node): void {
    if (target.type === 'Identifier') holders.push({ name: target.name as string, path, scope })
    else if (target.type === 'AssignmentPattern') bind(target.left as Node, path, scope)
    else if (target.type === 'ObjectPattern') {
      for (const property of target.properties as readonly Node[]) {
        if (property.type !== 'Property' || property.computed === true) continue
        const within = [...path, String((property.key as Node).name ?? (property.key as Node).value)]
        read(within, property)
        bind(property.value as Node, within, scope)
      }
    }
  }

  function pathOf(node: Node): readonly string[] | null {
    if (node.type === 'MemberExpression') {
      const { property, computed } = node as unknown as { readonly property: Node; readonly computed: boolean }
      if (!computed && property.name === 'config') return []
    }
    if (node.type !== 'Identifier') return null
    const found = holders.findLast(
      ({ name, scope }) => name === node.name && scope.start <= node.start && node.end <= scope.end,
    )
    if (found !== undefined) return found.path
    return node.name === 'config' ? [] : null
  }

  walk(program, (node, around) => {
    const annotation = (node.typeAnnotation as Node | undefined)?.typeAnnotation as Node | undefined
    if (annotation !== undefined && around.length > 0) {
      const scope = around.findLast(({ type }) => FUNCTIONS.has(type))!
      const type = source.slice(annotation.start, annotation.end)
      const isUntyped = node.name === 'config' && /Record<string, unknown>|^(object|unknown)$/.test(type)
      const path = isUntyped ? [] : annotatedPath(type)
      if (path !== null) bind(node, path, scope)
      else if (node.type === 'Identifier') holders.push({ name: node.name as string, path: null, scope })
    }
    if (isName(node, around.at(-1))) return
    const path = pathOf(node)
    if (path !== null) follow(path, node, around)
  })
  return reads

  /** Follows the chain that begins with a node outwards. */
  function follow(from: readonly string[], start: Node, around: readonly Node[]): void {
    const path = [...from]
    let node = start
    let at = around.length - 1
    for (; at >= 0; at--) {
      const outer = around[at]!
      if (outer.type === 'MemberExpression' && outer.object === node && outer.computed !== true)
        path.push(String((outer.property as Node).name))
      else if (!TRANSPARENT.has(outer.type) && !(outer.type === 'LogicalExpression' && outer.left === node)) break
      node = outer
    }
    const outer = around[at]
    const isCast = outer?.type === 'TSAsExpression' || outer?.type === 'TSTypeAssertion'
    if (path.length > from.length || isCast) read(path, start, isCast)
    if (outer?.type === 'VariableDeclarator' && outer.init === node)
      bind(outer.id as Node, path, around.findLast(({ type }) => FUNCTIONS.has(type))!)
  }
}

/** The section that a type stands for; `[]` for all of the configuration. */
function annotatedPath(type: string): readonly string[] | null {
  const section = /^(?:Pick<)?(\w+Section)\b/.exec(type)?.[1]
  if (section !== undefined) return SECTION_TYPES[section] === undefined ? null : [SECTION_TYPES[section]]
  const [, keys] = /^(?:Pick<)?(?:Config|Scope\['config'\])((?:\['\w+'\])*)(?:$|,)/.exec(type) ?? []
  return keys === undefined ? null : [...keys.matchAll(/'(\w+)'/g)].map(([, key]) => key!)
}

/** Is the node no expression, but the name of a property, a parameter or a variable? */
function isName(node: Node, outer: Node | undefined): boolean {
  if (outer === undefined) return false
  if (outer.type === 'MemberExpression') return outer.property === node && outer.computed !== true
  if (outer.type === 'Property') return outer.key === node && outer.shorthand !== true
  return outer.type === 'VariableDeclarator'
    ? outer.id === node
    : outer.type.startsWith('TS') && outer.type !== 'TSAsExpression' && outer.type !== 'TSNonNullExpression'
}
