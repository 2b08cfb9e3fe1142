import { type ConstDirectiveNode, Kind, parse } from '../graphql/api.ts'

/** Returns a copy of a definition with further directives. @param texts directives as SDL, such as `@tag(name: "x")` */
export function withMarks<T extends { readonly directives?: readonly ConstDirectiveNode[] | undefined }>(
  node: T,
  texts: readonly string[] = [],
): T {
  return texts.length === 0 ? node : { ...node, directives: [...(node.directives ?? []), ...texts.flatMap(readMark)] }
}

/** Parses directives. */
function readMark(text: string): readonly ConstDirectiveNode[] {
  const [definition] = parse(`scalar S ${text}`).definitions
  return definition?.kind === Kind.SCALAR_TYPE_DEFINITION ? (definition.directives ?? []) : []
}
