/* global SwaggerUIBundle */
SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  // Keys belong on servers: the page describes requests and sends none.
  supportedSubmitMethods: [],
});
