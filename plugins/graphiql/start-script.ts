/** Fields of a type, with what their arguments require. */
const FIELDS =
  'fields { name args { defaultValue type { kind } } type { kind name ofType { kind name ofType { kind name ofType { kind name } } } } }'
/** The queries, with the fields of their result types. */
const INTROSPECTION = `{ __schema { queryType { fields {
  name args { name defaultValue type { kind } } type { ...Named ofType { ...Named ofType { ...Named ofType { ...Named } } } }
} } } }
fragment Named on __Type { kind ${FIELDS} }`

/** The query without a list or object to read. It runs on every schema. */
const FALLBACK = '# Ctrl+Space completes, Ctrl+Enter runs.\n{\n  __typename\n}\n'

/**
 * JavaScript of the browser that makes a query from the schema: the first rows of the first list, with some fields. The
 * browser reads the schema by introspection, so the page reveals nothing without it. `FALLBACK`: the schema cannot be
 * read, or has no such query. A list with a count has its rows in the field `items`.
 */
const FIRST_QUERY = `const ask = async (query) => {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) })
  return (await response.json()).data
}
const required = (argument) => argument.type.kind === 'NON_NULL' && argument.defaultValue === null
const typesOf = (type) => (type ? [type, ...typesOf(type.ofType)] : [])
const fieldsOf = (type) => typesOf(type).find(({ fields }) => fields)?.fields ?? []
const nameOf = (type) => typesOf(type).find(({ name }) => name)?.name
const isLeaf = ({ kind, ofType }) => /SCALAR|ENUM/.test(kind === 'NON_NULL' ? ofType.kind : kind)
const leavesOf = (fields) => fields.filter((field) => isLeaf(field.type) && !field.args.some(required)).slice(0, 3)
const itemsOf = (query) => fieldsOf(query.type).find(({ name }) => name === 'items')
const isList = (query) => itemsOf(query) !== undefined || typesOf(query.type).some(({ kind }) => kind === 'LIST')
const print = (fields, indent) => leavesOf(fields).map(({ name }) => indent + name + '\\n').join('')
const printItems = async (items) => {
  const { __type } = await ask('{ __type(name: ' + JSON.stringify(nameOf(items.type)) + ') { ${FIELDS} } }')
  return '    items {\\n' + print(__type.fields, '      ') + '    }\\n'
}
const readFirstQuery = async () => {
  try {
    const queries = (await ask(introspection)).__schema.queryType.fields
    const usable = queries.filter((each) => !each.args.some(required) && leavesOf(fieldsOf(each.type)).length > 0)
    const query = usable.find(isList) ?? usable[0]
    if (query === undefined) return fallback
    const limit = query.args.some(({ name }) => name === 'limit') ? '(limit: 5)' : ''
    const items = itemsOf(query)
    const fields = items === undefined ? print(fieldsOf(query.type), '    ') : await printItems(items)
    return fallback.replace('  __typename\\n', '  ' + query.name + limit + ' {\\n' + fields + '  }\\n')
  } catch {
    return fallback
  }
}`

/**
 * Renders the script that starts the editor. It is a separate file because the policy forbids inline scripts. The
 * editor's endpoint is the address of the page. The code is in a function, because the scripts of a page share their
 * global names, and plugins add scripts of their own (`addScript`).
 * @param query what the editor shows a first-time visitor; `undefined`: a query that is made from the schema
 * @param hasSubscriptions `true`: the endpoint accepts subscriptions over WebSocket
 */
export function renderStartScript(query: string | undefined, hasSubscriptions: boolean): string {
  // The editor's own client of graphql-transport-ws, which sends the editor's headers in connection_init.
  const subscriptions = hasSubscriptions ? `, subscriptionUrl: location.origin.replace('http', 'ws') + url` : ''
  const reading =
    query === undefined
      ? `const introspection = ${JSON.stringify(INTROSPECTION)}
const fallback = ${JSON.stringify(FALLBACK)}
${FIRST_QUERY}
`
      : ''
  return `(async () => {
const url = location.pathname
const fetcher = GraphiQL.createFetcher({ url${subscriptions} })
${reading}const defaultQuery = ${query === undefined ? 'await readFirstQuery()' : JSON.stringify(query)}
ReactDOM.createRoot(document.getElementById('editor')).render(
  React.createElement(GraphiQL, { fetcher, defaultEditorToolsVisibility: true, defaultQuery }),
)
})()
`
}
