import type { AuthoredSchema, PartContext } from '../../../core/doors/command.ts'
import { didYouMean, listNames } from '../../../core/doors/plugin.ts'
import { Kind, parse } from '../../graphql/api.ts'
import { SPEC_DIRECTIVES } from './spec-directives.ts'

/**
 * An entry of `[[federation.compose_directives]]`: a directive of the author that the router keeps
 * (`@composeDirective`).
 */
export interface ComposeDirective {
  readonly name: string
  readonly url: string
  readonly definition: string
}

type Fault = PartContext<unknown>['fault']

const SPEC_URL = /^https?:\/\/\S+\/([A-Za-z_]\w*)\/v\d+\.\d+\/?$/

/**
 * Checks the author's directives for `@composeDirective`: their configuration, and their use on types.
 * @param fault reports an error by its id
 */
export function checkComposed(schema: AuthoredSchema, all: readonly ComposeDirective[], fault: Fault): void {
  for (const [index, directive] of all.entries()) {
    const problem = composedProblem(directive, all.slice(0, index))
    if (problem !== null) fault('compose-directive', `[[federation.compose_directives]] ${problem}`)
  }
  const names = all.map(({ name }) => name)
  for (const type of schema.types ?? []) {
    for (const applied of type.directives ?? []) {
      const problem = appliedProblem(applied, names)
      if (problem !== null) fault('directive', `Type "${type.name}": ${problem}`, type)
    }
  }
}

function composedProblem(
  { name, url, definition }: ComposeDirective,
  before: readonly ComposeDirective[],
): string | null {
  if (!/^@[A-Za-z_]\w*$/.test(name)) return `"${name}" is no name of a directive. Write it with its @: "@owner".`
  if (name.slice(1) in SPEC_DIRECTIVES) return `"${name}" is a directive of the federation itself. Choose another name.`
  if (before.some((one) => one.name === name)) return `"${name}" stands there twice.`
  if (!SPEC_URL.test(url)) {
    return `"${name}": "${url}" is no address of a specification: name and version are its last parts, as in "https://specs.example.com/owner/v1.0".`
  }
  try {
    const { definitions } = parse(definition)
    const [only] = definitions
    if (definitions.length === 1 && only?.kind === Kind.DIRECTIVE_DEFINITION && `@${only.name.value}` === name)
      return null
    return `"${name}": its definition has to be that of one directive, "directive ${name} on OBJECT".`
  } catch (error) {
    return `"${name}": its definition cannot be read: ${(error as Error).message}`
  }
}

function appliedProblem(applied: string, names: readonly string[]): string | null {
  try {
    const [definition] = parse(`type T ${applied} { f: Int }`).definitions
    const directives = definition?.kind === Kind.OBJECT_TYPE_DEFINITION ? (definition.directives ?? []) : []
    const [directive] = directives
    if (directives.length !== 1 || directive === undefined)
      return `directives: "${applied}" is not one directive. Write each as a text of its own.`
    const name = `@${directive.name.value}`
    if (names.includes(name)) return null
    const known = names.length === 0 ? ' There are none.' : ` There are: ${listNames(names)}.`
    return `directives: "${name}" is none of [[federation.compose_directives]].${didYouMean(name, names) || known}`
  } catch (error) {
    return `directives: "${applied}" cannot be read: ${(error as Error).message} Write it as it is applied: @owner(team: "x").`
  }
}
