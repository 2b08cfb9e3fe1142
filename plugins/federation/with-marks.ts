import { type ConstDirectiveNode, Kind, parse } from '../graphql/api.ts'

/** The node with these directives, in their notation. */
export function withMarks<T extends { readonly directives?: readonly ConstDirectiveNode[] | undefined }>(
  node: T,
  texts: readonly string[] = [],
): T {
  return texts.length === 0 ? node : { ...node, directives: [...(node.directives ?? []), ...texts.flatMap(readMark)] }
}

/** The directives of a text, by the reader of documents. */
function readMark(text: string): readonly ConstDirectiveNode[] {
  const [definition] = parse(`scalar S ${text}`).definitions
  return definition?.kind === Kind.SCALAR_TYPE_DEFINITION ? (definition.directives ?? []) : []
}
