#include <tinyxml2.h>

#include "document.h"

/* Virtual functions that the library calls. */
class Summer : public tinyxml2::XMLVisitor
{
  public:
	uint64_t sum = CHECKSUM_START;

	bool VisitEnter(const tinyxml2::XMLElement &element, const tinyxml2::XMLAttribute *attribute) override
	{
		add(element.Name());
		for (; attribute; attribute = attribute->Next())
			add(attribute->Value());
		return true;
	}

	bool Visit(const tinyxml2::XMLText &text) override
	{
		add(text.Value());
		return true;
	}

  private:
	void add(const char *text)
	{
		sum = checksum(sum, text, strlen(text));
	}
};

int main(int count, char **arguments)
{
	static char text[DOCUMENT_ROOM];
	Summer summer;
	bool right = true;
	for (unsigned round = 0; round < rounds_of(count, arguments) && right; round++) {
		size_t size = document_make(text, round);
		tinyxml2::XMLDocument document, broken;
		right = document.Parse(text, size) == tinyxml2::XML_SUCCESS &&
		        broken.Parse(text, size - 4) != tinyxml2::XML_SUCCESS;
		document.Accept(&summer);
		tinyxml2::XMLElement *first = document.RootElement()->FirstChildElement("cloth");
		right = right && first->FloatAttribute("width") >= 0;
		first->SetAttribute("width", round);
		document.RootElement()->InsertEndChild(document.NewElement("end"));
		tinyxml2::XMLPrinter printer;
		document.Print(&printer);
		summer.sum = checksum(summer.sum, printer.CStr(), (size_t)printer.CStrSize());
	}
	return finish("tinyxml2", summer.sum, right);
}
