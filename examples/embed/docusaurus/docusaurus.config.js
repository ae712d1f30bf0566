// @ts-check

/** @type {import('@docusaurus/types').Config} */
module.exports = {
  title: 'Docs with a lab',
  url: 'https://docs.example',
  baseUrl: '/',
  favicon: 'tokenyard-site/icon.svg',
  // Pages lie beside the folder of Tokenyard, so that its address is the same on all of them.
  trailingSlash: false,
  presets: [['classic', { docs: false, blog: false }]],
  // Defines the element once for all pages; those that come by navigation upgrade themselves.
  scripts: [{ src: 'tokenyard-site/element.js', defer: true }],
  themeConfig: {
    colorMode: { respectPrefersColorScheme: true },
    navbar: {
      title: 'Docs with a lab',
      items: [
        { to: '/', label: 'Labs' },
        { to: '/other', label: 'Another page' },
      ],
    },
  },
};
