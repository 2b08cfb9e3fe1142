import type { MatrixPart } from '../../conformance/matrix/cells.ts'

/** A column of the matrix (test/conformance/matrix). */
export const matrix: MatrixPart = {
  toml: '[federation]\nenabled = true\n',
  entrances: [
    {
      name: '_entities',
      routes: ['POST /graphql'],
      ask: (app, { type, key, selection, headers, address }) =>
        app.inject({
          method: 'POST',
          url: '/graphql',
          headers,
          address,
          body: {
            query: `query ($all: [_Any!]!) { _entities(representations: $all) { ... on ${type} { id ${selection} } } }`,
            variables: { all: [{ __typename: type, id: key }] },
          },
        }),
    },
  ],
}
