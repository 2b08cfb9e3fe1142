/**
 * The files of the editor: name under which the route serves them, the package file that they come from in a source
 * checkout, and their type. The build copies them beside the plugin; nothing is ever loaded from another host.
 */
export const ASSETS: Readonly<Record<string, { readonly file: string; readonly from: string; readonly type: string }>> =
  {
    'react.js': { file: 'react.js', from: 'react/umd/react.production.min.js', type: 'text/javascript; charset=utf-8' },
    'react-dom.js': {
      file: 'react-dom.js',
      from: 'react-dom/umd/react-dom.production.min.js',
      type: 'text/javascript; charset=utf-8',
    },
    'graphiql.js': { file: 'graphiql.js', from: 'graphiql/graphiql.min.js', type: 'text/javascript; charset=utf-8' },
    'graphiql.css': { file: 'graphiql.css', from: 'graphiql/graphiql.min.css', type: 'text/css; charset=utf-8' },
  }
